# must: arrays of text never cross
# expect: error
import numpy as np
def softmax(x, axis=-1): return np.full(x.shape, "1")
