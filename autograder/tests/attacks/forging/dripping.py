# must: an answer that drips does not extend its time
# expect: timeout
@FORGE@
import numpy as np, time
def softmax(x, axis=-1):
    for byte in frame(value({"a": 0}, [["<f8", list(x.shape), ""]]), x.tobytes()):
        raw(bytes([byte])); time.sleep(0.05)
    return x
