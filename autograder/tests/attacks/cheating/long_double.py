# must: long double refused
# expect: error
import numpy as np
def softmax(x, axis=-1): return np.ones(x.shape, np.longdouble)
