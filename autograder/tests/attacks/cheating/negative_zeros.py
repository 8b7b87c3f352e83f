# must: minus nothing is nothing
# expect: fail
import numpy as np
def softmax(x, axis=-1): return -np.zeros(x.shape)
