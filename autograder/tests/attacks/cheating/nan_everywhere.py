# must: nan agrees with nothing
# expect: fail
import numpy as np
def softmax(x, axis=-1): return np.full(x.shape, np.nan)
