# must: a hook that refuses everything costs the desk alone
# expect: died error load-error fail timeout pass
import sys
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def hook(event, args):
    if event != "x": raise RuntimeError(event)
sys.addaudithook(hook)
