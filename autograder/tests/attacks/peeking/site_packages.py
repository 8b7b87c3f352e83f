# must: no other package can be read
# expect: pass
import os, sys
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import glob, importlib
    r = []
    base = os.path.dirname(os.path.dirname(np.__file__))
    sys.path[:0] = [base, os.path.join(os.path.dirname(os.__file__), 'site-packages'), '/usr/lib/python3/dist-packages']
    for p in sys.path[:3]:
        for n in ('pip/__init__.py', 'pytest/__init__.py', 'hypothesis/__init__.py', 'apt/__init__.py'):
            try: open(os.path.join(p, n)).read(); r.append(n)
            except OSError: pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
