# must: no other program can be started
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import subprocess
    try: return "ESCAPED "+subprocess.run(["/bin/echo","hi"],capture_output=True,text=True,timeout=3).stdout
    except BaseException as e: return "blocked "+type(e).__name__
