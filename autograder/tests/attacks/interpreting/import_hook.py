# must: import hooks live and die in the worker
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import sys
class F:
    def find_spec(s,n,p=None,t=None): raise ImportError('gk '+n)
sys.meta_path.insert(0,F())
