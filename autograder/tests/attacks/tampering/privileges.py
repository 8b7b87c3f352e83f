# must: no privilege can be gained
# expect: pass
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import ctypes
    L = ctypes.CDLL(None, use_errno=True)
    r = []
    for n, f in (('setuid', lambda: os.setuid(0)), ('setresuid', lambda: os.setresuid(0, 0, 0)), ('setgroups', lambda: os.setgroups([0])), ('capset', lambda: 1 / (L.capset(0, 0) == 0)), ('dumpable', lambda: 1 / (L.prctl(4, 1, 0, 0, 0) == 0)), ('subreaper', lambda: 1 / (L.prctl(36, 1, 0, 0, 0) == 0)), ('keepcaps', lambda: 1 / (L.prctl(8, 1, 0, 0, 0) == 0)), ('orphaned', lambda: 1 / (L.prctl(1, 0, 0, 0, 0) == 0))):
        try: f(); r.append(n)
        except (OSError, ZeroDivisionError): pass
    return 'ESCAPED ' + str(r) if r else ('ESCAPED root' if os.getuid() == 0 else 'blocked')
