# must: process_vm_readv on the zygote refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import ctypes
    L=ctypes.CDLL(None,use_errno=True)
    
    buf=ctypes.create_string_buffer(16); src=id(sys.modules)
    class IO(ctypes.Structure): _fields_=[("b",ctypes.c_void_p),("l",ctypes.c_size_t)]
    a=IO(ctypes.addressof(buf),16); b=IO(src,16)
    r=L.process_vm_readv(os.getppid(),ctypes.byref(a),1,ctypes.byref(b),1,0)
    return "ESCAPED %d"%r if r>0 else "blocked %d"%ctypes.get_errno()
