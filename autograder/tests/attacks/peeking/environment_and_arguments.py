# must: environment and argv are empty of secrets
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    e=dict(os.environ)
    try: e["raw"]=open("/proc/self/environ","rb").read().decode("latin1")
    except OSError: pass
    s=str(e)+str(sys.argv)+str(getattr(sys,"orig_argv",""))
    return ("ESCAPED " if "TOKEN" in s or ('M4RK' + '3R') in s else "env ")+s[:200]
