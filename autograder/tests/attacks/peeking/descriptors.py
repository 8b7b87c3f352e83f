# must: no descriptor but its own is open
# expect: pass
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    r = []
    for fd in list(range(4, 300)):
        try: os.fstat(fd); r.append(fd)
        except OSError: pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
