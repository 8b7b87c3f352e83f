# must: hidden inputs put into an exception or print are withheld from the student's view of hidden tests (policy)
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    return 'policy: see feedback rules'
