# must: the kit itself cannot be read or listed
# expect: pass
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    r = []
    for p in ('@SUITES@', '@KIT@', '@KIT@/autograder'):
        try: r.append(os.listdir(p))
        except OSError: pass
        for q in ('self_attention/mistakes.py', 'solutions/self_attention.py', 'autograder/grade/client.py', 'pyproject.toml'):
            try: open(os.path.join(p, q)).read(); r.append(q)
            except OSError: pass
    return 'ESCAPED ' + str(r)[:100] if r else 'blocked'
