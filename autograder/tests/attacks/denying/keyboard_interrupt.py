# must: KeyboardInterrupt does not stop the class run
# expect: error
import numpy as np
def softmax(x, axis=-1):
    raise KeyboardInterrupt
