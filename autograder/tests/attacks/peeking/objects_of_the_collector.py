# must: gc.get_objects() shows no secret
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import gc
    gc.unfreeze()
    m="".join(map(chr,(77,52,82,75,51,82)))
    for o in gc.get_objects():
        if type(o) in (dict,list,tuple):
            for x in (o.values() if type(o) is dict else o):
                if type(x) in (str,bytes) and (m if type(x) is str else m.encode()) in x and len(x)<500 and x!=m and "get_objects" not in str(x): return "ESCAPED gc "+type(o).__name__
    return "nothing"
