# must: their folder cannot be listed
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    try: return "ESCAPED " + str(os.listdir("@SECRET@/tests"))
    except OSError as e: return "blocked " + str(e)
