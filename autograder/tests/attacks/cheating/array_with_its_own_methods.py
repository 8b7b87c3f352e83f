# must: no method of a subclass is ever called
# expect: fail
import numpy as np
class A(np.ndarray):
    shape = property(lambda self: (2, 3))
    def tobytes(self, *a): return b"forged"
    def astype(self, *a, **k): raise SystemExit
    def __array__(self, *a, **k): raise SystemExit
    def __array_finalize__(self, other): pass
def softmax(x, axis=-1): return np.zeros(x.shape).view(A)
