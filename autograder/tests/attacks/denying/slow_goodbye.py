# must: __del__ / atexit / weakref loops cannot delay the next submission (worker is killed, not asked)
# expect: fail pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

import atexit, time, os, weakref
def slow():
    t=time.time()
    while time.time()-t<5: pass
atexit.register(slow)
class K:
    def __del__(s): slow()
k=K(); k.me=k
