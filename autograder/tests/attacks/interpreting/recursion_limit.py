# must: a tiny recursion limit is their own loss
# expect: pass died error
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import sys
sys.setrecursionlimit(60)
