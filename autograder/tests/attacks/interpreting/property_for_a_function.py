# must: a name that answers differently each time is their own loss
# expect: pass fail error
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
class M(type(__import__("sys"))):
    def __getattribute__(self, name): raise SystemExit
__import__("sys").modules["notebook"].__class__ = M
