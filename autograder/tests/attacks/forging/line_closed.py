# must: closing the reply fd ends the submission only
# expect: died error
import numpy as np
import os, struct, json
def frame(h, body=b"", hl=None, bl=None):
    if not isinstance(h, bytes): h=json.dumps(h).encode()
    return struct.pack("<4sII", b"GK1\0", len(h) if hl is None else hl, len(body) if bl is None else bl)+h+body
def raw(b): os.write(3,b)
def softmax(x, axis=-1): os.close(3); return x
