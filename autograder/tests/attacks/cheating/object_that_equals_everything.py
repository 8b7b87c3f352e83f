# must: object that equals everything is not accepted as a value
# expect: error
import numpy as np

class E:
    def __eq__(s, o): return True
    def __ne__(s, o): return False
    def __array__(s, *a, **k): return np.zeros(3)
    shape = (3,); dtype = np.dtype("f8"); ndim = 1
    def __getattr__(s, n): return lambda *a, **k: True
def softmax(x, axis=-1): return E()
