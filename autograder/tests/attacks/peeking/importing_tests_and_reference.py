# must: test module, reference, grader not importable
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    sys.path[:0]=["@SECRET@/tests","@SECRET@","@KIT@","@SUITES@"]
    for m in ("test_secret","reference","attacks","test_hidden","lean","grader"):
        try: found = __import__(m)
        except BaseException as e: continue
        if "__file__" in vars(found): return "ESCAPED import "+m  # and no placeholder
    return "blocked"
