# must: a desk run by the student answers as any student could
# expect: died fail
import sys, numpy as np
def softmax(x, axis=-1):
    frame = sys._getframe()
    while frame:
        desk = frame.f_locals.get("self")
        if hasattr(desk, "_reply"):
            reply = desk._reply
            desk._reply = lambda header, *value: reply({"o": "returned"}, np.full(x.shape, 1 / x.shape[axis]))
        frame = frame.f_back
    raise ValueError
