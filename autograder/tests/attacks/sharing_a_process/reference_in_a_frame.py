# must: walking the callers' frames for a function called ref / solution finds none
# expect: error fail
import numpy as np

import sys
def softmax(x, axis=-1):
    f=sys._getframe(1)
    while f:
        for n in ("ref","reference","solution","expected"):
            r=f.f_globals.get(n) or f.f_locals.get(n)
            if callable(r): return r(x,axis)
        f=f.f_back
    return x
