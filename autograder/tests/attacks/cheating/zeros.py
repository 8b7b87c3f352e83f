# must: zeros fail
# expect: fail
import numpy as np
def softmax(x, axis=-1): return np.zeros(x.shape)
