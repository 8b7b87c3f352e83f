# must: limits cannot be raised
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import resource
    r = []
    for n in ('CPU', 'AS', 'FSIZE', 'NOFILE'):
        k = getattr(resource, 'RLIMIT_' + n)
        try: resource.setrlimit(k, (resource.RLIM_INFINITY,) * 2); r.append(n)
        except (OSError, ValueError): pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
