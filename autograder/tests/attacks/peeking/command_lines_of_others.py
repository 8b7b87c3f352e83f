# must: command lines of other processes unreadable
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    n=0
    try:
        for p in os.listdir("/proc"):
            if p.isdigit():
                try: open("/proc/%s/cmdline"%p).read(); n+=1
                except OSError: pass
    except OSError as e: return "blocked "+str(e)
    return "ESCAPED %d"%n if n>1 else "blocked"
