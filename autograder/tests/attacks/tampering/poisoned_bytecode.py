# must: __pycache__ of numpy / stdlib cannot be poisoned
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import glob
    for c in [os.path.join(os.path.dirname(np.__file__),"__pycache__"), os.path.join(os.path.dirname(os.__file__),"__pycache__")]:
        try:
            open(os.path.join(c,"attack_left.pyc"),"wb").close(); os.unlink(os.path.join(c,"attack_left.pyc")); return "ESCAPED "+c
        except OSError: pass
    return "blocked"
