# must: signals to the zygote refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import signal
    r=[]
    for s in (0, signal.SIGCONT, signal.SIGWINCH):
        try: os.kill(os.getppid(), s); r.append(int(s))
        except OSError: pass
    return "ESCAPED "+str(r) if r else "blocked"
