# must: ptrace attach to the zygote refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import ctypes
    L=ctypes.CDLL(None,use_errno=True)
    
    r=L.ptrace(0x4206,os.getppid(),0,0)      # PTRACE_SEIZE: does not stop the target
    if r==0:
        L.ptrace(17,os.getppid(),0,0); return "ESCAPED seize"
    return "blocked %d"%ctypes.get_errno()
