# must: the 32-bit door is closed
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
    code = bytes.fromhex('b814000000cd80c3')  # getpid by int 0x80
    m = mmap.mmap(-1, 4096, prot=7)
    m.write(code)
    f = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(m)))
    return 'ESCAPED' if f() > 0 else 'blocked'
