# must: mlock refused or limited
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import ctypes
def probe():
    L=ctypes.CDLL(None); b=ctypes.create_string_buffer(8<<20)
    return 'ESCAPED' if L.mlock(b,8<<20)==0 else 'blocked'
