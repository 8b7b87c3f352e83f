# must: GeneratorExit / bare BaseException handled
# expect: error
import numpy as np
def softmax(x, axis=-1):
    raise GeneratorExit
