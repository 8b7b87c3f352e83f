# must: F_SETOWN + O_ASYNC cannot make the kernel signal the zygote
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import fcntl, signal
    try:
        fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())
        fcntl.fcntl(3, fcntl.F_SETSIG, signal.SIGCONT)
        fcntl.fcntl(3, fcntl.F_SETFL, fcntl.fcntl(3, fcntl.F_GETFL)|os.O_ASYNC)
        return "ESCAPED setown"
    except OSError as e: return "blocked "+str(e)
