# must: a long source is bounded
# expect: pass load-error error timeout died
def f0(): return 0
def f1(): return 1
def f2(): return 2
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
