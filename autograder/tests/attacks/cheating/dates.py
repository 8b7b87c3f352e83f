# must: dates never cross
# expect: error
import numpy as np
def softmax(x, axis=-1): return np.zeros(x.shape, "M8[D]")
