# must: a second answer to the same call ends the desk
# expect: died
@FORGE@
import numpy as np
def softmax(x, axis=-1):
    for _ in range(2): raw(frame(value({"a": 0}, [["<f8", list(x.shape), ""]]), x.tobytes()))
    return x
