# must: a class that computes will do
# expect: pass
import numpy as np
class softmax(np.ndarray):
    def __new__(cls, x, axis=-1):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)
