# must: a patched NumPy lives and dies at its desk
# expect: fail died error
import numpy as np
np.ndarray = list
np.ascontiguousarray = np.asarray = np.array_equal = lambda *a, **k: True
np.frombuffer = np.zeros
def softmax(x, axis=-1): return np.zeros(x.shape)
