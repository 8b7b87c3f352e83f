# must: what claims to be an array is not taken for one
# expect: error
import numpy as np
class A:
    __class__ = np.ndarray
    dtype, shape, ndim, nbytes, size = np.dtype(float), (3,), 1, 24, 3
    __array_interface__ = {"shape": (3,), "typestr": "<f8", "version": 3, "data": (0, False)}
    def astype(self, *a, **k): return self
    def tobytes(self, *a): return bytes(24)
def softmax(x, axis=-1): return A()
