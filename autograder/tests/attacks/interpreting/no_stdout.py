# must: sys.stdout = None / closed / replaced
# expect: error pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import sys
sys.stdout=None; sys.stderr=None
