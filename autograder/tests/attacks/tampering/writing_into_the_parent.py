# must: process_vm_writev into the zygote refused (writes back the same bytes)
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import ctypes
    L=ctypes.CDLL(None,use_errno=True)
    
    buf=ctypes.create_string_buffer(8); a0=id(sys.modules)
    class IO(ctypes.Structure): _fields_=[("b",ctypes.c_void_p),("l",ctypes.c_size_t)]
    a=IO(ctypes.addressof(buf),8); b=IO(a0,8)
    if L.process_vm_readv(os.getppid(),ctypes.byref(a),1,ctypes.byref(b),1,0)!=8: return "blocked read"
    r=L.process_vm_writev(os.getppid(),ctypes.byref(a),1,ctypes.byref(b),1,0)
    return "ESCAPED" if r>0 else "blocked"
