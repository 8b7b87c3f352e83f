# must: ten thousand arrays never cross
# expect: error
import numpy as np
def softmax(x, axis=-1): return [np.zeros(1)] * 10**4
