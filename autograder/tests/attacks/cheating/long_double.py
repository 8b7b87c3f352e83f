# must: a long double counts as a double, no more
# expect: fail
import numpy as np
def softmax(x, axis=-1): return np.ones(x.shape, np.longdouble)
