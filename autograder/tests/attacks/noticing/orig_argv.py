# must: the command line says nothing of tests
# expect: pass
import sys
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    s = ' '.join(sys.orig_argv) + ' '.join(sys.argv) + ' '.join(sys.path)
    return 'ESCAPED ' + s if 'pytest' in s or 'suites' in s or ('M4RK' + '3R') in s else 'nothing'
