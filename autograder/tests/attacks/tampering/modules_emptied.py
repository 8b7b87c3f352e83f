# must: an empty table of modules is their own loss
# expect: died error fail pass load-error
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

import sys
sys.modules.clear()
