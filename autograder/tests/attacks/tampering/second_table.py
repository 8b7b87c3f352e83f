# must: the second table of system calls is closed
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import ctypes
    L = ctypes.CDLL(None, use_errno=True)
    import platform
    if platform.machine() != 'x86_64': return 'no second table'
    L.syscall(0x40000000 + 39)
    return 'ESCAPED'
