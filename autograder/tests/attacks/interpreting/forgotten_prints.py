# must: a forgotten print does not disturb the protocol
# expect: pass
import numpy as np
print('loaded')
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    print(e)
    return e / e.sum(axis=axis, keepdims=True)
