# must: no socket can be made by number
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import ctypes
    L = ctypes.CDLL(None, use_errno=True)
    r = []
    for family in range(46):
        for kind in (1, 2, 3, 5):
            if L.socket(family, kind, 0) >= 0: r.append(family)
    return 'ESCAPED ' + str(r) if r else 'blocked'
