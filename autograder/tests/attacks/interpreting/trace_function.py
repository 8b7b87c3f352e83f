# must: settrace / setprofile / excepthook live and die in the worker
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import sys
sys.settrace(lambda *a: None); sys.setprofile(lambda *a: None); sys.excepthook=None; sys.displayhook=None
