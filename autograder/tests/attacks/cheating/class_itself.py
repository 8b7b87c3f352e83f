# must: a class never crosses
# expect: error
import numpy as np
def softmax(x, axis=-1): return np.ndarray
