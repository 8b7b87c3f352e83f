# must: no way of starting a program works
# expect: pass
import os, sys
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    r = []
    for n, f in (('system', lambda: os.system('true') or r.append('system')), ('spawn', lambda: os.posix_spawn('/bin/true', ['true'], {})), ('fork', lambda: os.fork() or os._exit(0)), ('popen', lambda: os.popen('echo x').read() or 1 / 0), ('pty', lambda: __import__('pty').fork()), ('exec', lambda: os.execv(sys.executable, ['x']))):
        try: f(); n == 'system' or r.append(n)
        except (OSError, ImportError, ZeroDivisionError): pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
