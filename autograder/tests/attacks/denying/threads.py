# must: threads are refused or end with the desk
# expect: error pass died
import threading, time
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
_own = softmax
def softmax(x, axis=-1):
    for _ in range(20): threading.Thread(target=time.sleep, args=(60,)).start()
    return _own(x, axis)
