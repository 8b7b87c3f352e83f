# must: whether a hidden file exists is only seen without a name space
# expect: pass
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    r = []
    for f in (lambda: os.stat('@SECRET@/reference.py'), lambda: os.path.getsize('@SECRET@/reference.py'), lambda: os.access('@SECRET@/reference.py', os.R_OK) or 1 / 0):
        try: f(); r.append(1)
        except Exception: pass
    return 'STAT' if r else 'blocked'
