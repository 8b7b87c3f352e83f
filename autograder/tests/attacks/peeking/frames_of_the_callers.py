# must: no frame above the worker loop holds expected values
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    f=sys._getframe(); seen=[]
    while f:
        for k,v in list(f.f_locals.items()):
            if "expected" in k or ('M4RK' + '3R') in repr(v)[:10000]: return "ESCAPED frame "+k
        seen.append(f.f_code.co_name); f=f.f_back
    return "frames "+",".join(seen)
