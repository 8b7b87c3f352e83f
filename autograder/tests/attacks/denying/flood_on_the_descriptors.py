# must: bytes on descriptors 1 and 2 go nowhere
# expect: pass timeout
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
_own = softmax
def softmax(x, axis=-1):
    for fd in (0, 1, 2):
        try: os.write(fd, b"x" * 10**6)
        except OSError: pass
    return _own(x, axis)
