# must: rewriting the worker's own modules gains nothing
# expect: died error fail
import numpy as np

import sys
w=sys.modules.get("wire")
if w: w.encode=lambda *a,**k: w.HDR.pack(w.MAGIC,26,0)+b'{"k":"ok","i":2,"v":true} '
def softmax(x, axis=-1): return np.zeros(x.shape)
