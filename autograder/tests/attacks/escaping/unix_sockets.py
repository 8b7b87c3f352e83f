# must: unix sockets (docker.sock, X11, dbus, abstract) refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    import socket
    try: s=socket.socket(socket.AF_UNIX); s.bind("\0attack_left"); return "ESCAPED unix"
    except Exception as e: return "blocked "+repr(e)
