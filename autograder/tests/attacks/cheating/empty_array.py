# must: empty array fails (np.all of nothing is True)
# expect: fail
import numpy as np
def softmax(x, axis=-1): return np.empty((0,))
