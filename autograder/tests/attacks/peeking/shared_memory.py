# must: SysV shm, /dev/shm, abstract sockets unavailable
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import ctypes
    L=ctypes.CDLL(None,use_errno=True)
    
    r=L.shmget(0x6b6b,4096,0o1600); e=ctypes.get_errno()
    if r>=0:
        L.shmctl(r,0,None); return "ESCAPED shmget"
    try: open("/dev/shm/attack_left","w").close(); os.unlink("/dev/shm/attack_left"); return "ESCAPED /dev/shm"
    except OSError: pass
    return "blocked"
