# must: unshare / mount / chroot / setns / pivot refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import ctypes
    L=ctypes.CDLL(None,use_errno=True)
    
    r=[n for n,f in (("unshare",lambda: L.unshare(0x10000000)),("chroot",lambda: L.chroot(b"/tmp")),("mount",lambda: L.mount(b"n",b"/mnt",b"tmpfs",0,None))) if f()==0]
    return "ESCAPED "+str(r) if r else "blocked"
