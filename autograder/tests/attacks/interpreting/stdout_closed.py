# must: a closed stdout hurts nobody
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import sys, os
sys.stdout.close()
os.close(1)
