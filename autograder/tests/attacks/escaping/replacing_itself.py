# must: os.execv (replace the worker) refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    try: os.execv("/nonexistent-gk",["x"])
    except FileNotFoundError: return "ESCAPED (execve reached the file system)"
    except OSError as e: return "blocked "+str(e)
