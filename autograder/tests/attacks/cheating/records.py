# must: structured arrays never cross
# expect: error
import numpy as np
def softmax(x, axis=-1): return np.zeros(x.shape, "i4,f8")
