# must: a result is what it was when it was returned
# expect: fail
import numpy as np
held = []
def softmax(x, axis=-1):
    for old in held: old[...] = 1 / 3
    y = np.zeros(x.shape); held.append(y)
    return y
