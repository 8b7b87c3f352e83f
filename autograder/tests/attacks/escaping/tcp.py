# must: TCP connect to loopback refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import socket
    try:
        s=socket.socket(); s.settimeout(1); s.connect(("127.0.0.1",@PORT@)); return "ESCAPED tcp"
    except Exception as e: return "blocked "+repr(e)
