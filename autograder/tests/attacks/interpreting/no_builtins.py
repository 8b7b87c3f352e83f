# must: deleting __builtins__ / clearing globals is their own loss
# expect: died error fail pass
import numpy as np
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
del __builtins__
