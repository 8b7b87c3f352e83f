# must: relative data files are a clear error
# expect: load-error
import numpy as np
d=np.load('data.npy')
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
