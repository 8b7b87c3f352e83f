# must: np.seterr / warnings filters stay in the worker
# expect: error pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import warnings
warnings.simplefilter('error'); np.seterr(all='raise')
