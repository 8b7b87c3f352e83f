# must: prlimit on the zygote refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import ctypes
    L=ctypes.CDLL(None,use_errno=True)
    
    import resource
    try: 
        resource.prlimit(os.getppid(), resource.RLIMIT_CORE, (0,0)); return "ESCAPED prlimit"
    except OSError as e: return "blocked"
