# must: RecursionError is the student's error
# expect: error
import numpy as np
def softmax(x, axis=-1):
    return softmax(x)
