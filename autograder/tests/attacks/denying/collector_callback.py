# must: a callback of the collector costs the desk alone
# expect: pass timeout died error
import gc, time
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
gc.callbacks.append(lambda *a: time.sleep(0.01))
