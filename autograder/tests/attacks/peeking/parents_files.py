# must: links of the parent in /proc lead nowhere
# expect: pass
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    r = []
    for n in ('exe', 'cwd', 'root', 'fd/0', 'fd/3', 'ns/pid'):
        try: r.append(os.readlink('/proc/%d/%s' % (os.getppid(), n)))
        except OSError: pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
