# must: (1,n) for (n,) or the like fails on shape
# expect: fail
import numpy as np
def softmax(x, axis=-1):
    e=np.exp(x-x.max(axis=axis,keepdims=True)); return (e/e.sum(axis=axis,keepdims=True))[None]
