# must: answers written before they are asked for end the desk
# expect: died
@FORGE@
import numpy as np
n = 0
def softmax(x, axis=-1):
    global n
    n += 1
    if n == 1:
        for i in range(1, 5):
            h = {**value({"a": 0}, [["<f8", [2, 3], ""]])}
            h["i"] += i
            raw(frame(h, np.full((2, 3), 1 / 3).tobytes()))
    return np.zeros(x.shape)
