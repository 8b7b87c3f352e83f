# must: no name, mode or time can be changed
# expect: pass
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import ctypes; L = ctypes.CDLL(None, use_errno=True)
    
    t = '@WRITABLE@'
    r = []
    for n, f in (('chmod', lambda: os.chmod(t, 0o777)), ('chown', lambda: os.chown(t, os.getuid(), os.getgid())), ('utime', lambda: os.utime(t)), ('mkdir', lambda: os.mkdir(t + '/attack_left')), ('symlink', lambda: os.symlink('x', t + '/attack_left')), ('mkfifo', lambda: os.mkfifo(t + '/attack_left')), ('mknod', lambda: os.mknod(t + '/attack_left')), ('setxattr', lambda: os.setxattr(t, 'user.x', b'x')), ('truncate', lambda: os.truncate('@SECRET@/reference.py', 0)), ('unlink', lambda: os.unlink('@SECRET@/results/grades.json')), ('rename', lambda: os.rename('@SECRET@/results', '@SECRET@/attack_left')), ('chdir', lambda: os.chdir(t)), ('sync', lambda: 1 / (L.syncfs(0) == 0))):
        try: f(); r.append(n)
        except (OSError, AttributeError, ZeroDivisionError): pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
