# must: np = None is their own loss
# expect: error
import numpy as np
def softmax(x, axis=-1): return np.exp(x)
np = None
