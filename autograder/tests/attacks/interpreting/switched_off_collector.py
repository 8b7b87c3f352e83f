# must: a switched-off collector is their own business
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import gc
gc.disable(); gc.set_threshold(1, 1, 1); gc.enable()
