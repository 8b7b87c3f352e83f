# must: half precision is too little
# expect: fail pass
import numpy as np
def softmax(x, axis=-1): return (lambda e: (e / e.sum(axis=axis, keepdims=True)).astype("f2") * 1.01)(np.exp(x - x.max(axis=axis, keepdims=True)))
