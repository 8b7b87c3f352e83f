# must: UDP sending refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import socket
    try:
        s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.sendto(b"x",("127.0.0.1",@PORT@)); return "ESCAPED udp"
    except Exception as e: return "blocked "+repr(e)
