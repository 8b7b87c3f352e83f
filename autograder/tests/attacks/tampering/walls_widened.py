# must: a second set of rules does not widen the first
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import ctypes
    L = ctypes.CDLL(None, use_errno=True)
    r = L.syscall(444, 0, 0, 1)
    return 'ESCAPED' if r > 0 else 'blocked'
