# must: no library of their own can be loaded
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import ctypes
    L = ctypes.CDLL(None, use_errno=True)
    r = []
    for p in ('@WRITABLE@/x.so', '/proc/self/exe', '/dev/shm/x.so'):
        try: ctypes.CDLL(p); r.append(p)
        except OSError: pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
