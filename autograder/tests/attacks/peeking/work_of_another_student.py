# must: another student's file cannot be read
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    try: return "ESCAPED " + open("@SECRET@/submissions/alice.py").read()
    except OSError as e: return "blocked " + str(e)
