# must: infinity agrees with nothing finite
# expect: fail
import numpy as np
def softmax(x, axis=-1): return np.full(x.shape, np.inf)
