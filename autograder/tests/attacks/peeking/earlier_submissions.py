# must: nothing of an earlier submission is in memory
# expect: pass
import sys
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import os
    left = vars(sys.modules['numpy']).get('LEFT', os.getpid())
    sys.modules['numpy'].LEFT = os.getpid()
    return 'nothing' if left == os.getpid() else 'ESCAPED'
