# must: a hundred megabytes of print cost their time alone
# expect: pass timeout
import sys
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
_own = softmax
def softmax(x, axis=-1):
    for _ in range(100): print("x" * 10**6)
    return _own(x, axis)
