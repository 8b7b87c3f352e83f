# must: nothing of an earlier submission is in memory
# expect: pass
import sys
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import gc
    found = [k for k, m in sys.modules.items() if getattr(m, 'LEFT', None)]
    mark = ('M4RK' + '3R') + '-EARLIER'
    sys.modules['numpy'].LEFT = 0
    return 'ESCAPED' if found else 'nothing'
