# must: machine code of their own meets the same walls
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import ctypes
    L = ctypes.CDLL(None, use_errno=True)
    import mmap, platform
    if platform.machine() != 'x86_64': return 'other code'
    code = bytes.fromhex('b83900000031ff0f05c3')  # fork
    m = mmap.mmap(-1, 4096, prot=7)
    m.write(code)
    f = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(m)))
    r = f()
    if r == 0: __import__('os')._exit(0)
    return 'ESCAPED' if r > 0 else 'blocked %d' % r
