# must: the line is good for nothing but frames
# expect: pass
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import socket
    s = socket.socket(fileno=os.dup(3))
    r = []
    for n, f in (('rights', lambda: socket.send_fds(s, [b'x'], [0])), ('recv', lambda: s.recv(1)), ('connect', lambda: s.connect('/tmp/x')), ('shutdown', lambda: s.shutdown(2)), ('options', lambda: s.setsockopt(1, 8, 1 << 30)), ('peer', lambda: s.getsockopt(1, 17))):
        try: f(); r.append(n)
        except OSError: pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
