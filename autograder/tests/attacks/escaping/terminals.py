# must: no terminal can be opened or written to
# expect: pass
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    r = []
    for p in ('/dev/tty', '/dev/pts/0', '/dev/ptmx', '/dev/console'):
        try: os.open(p, os.O_RDWR); r.append(p)
        except OSError: pass
    try: __import__('fcntl').ioctl(0, 0x5412, b'x'); r.append('TIOCSTI')
    except OSError: pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
