# must: reading memory anywhere ends at most the desk
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import ctypes
    return str(ctypes.string_at(8, 8))
