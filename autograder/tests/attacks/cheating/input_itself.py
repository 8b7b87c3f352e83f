# must: the input handed back fails
# expect: fail
import numpy as np
def softmax(x, axis=-1): return x
