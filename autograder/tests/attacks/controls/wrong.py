# must: a wrong answer fails
# expect: fail
import numpy as np
def softmax(x, axis=-1): return np.exp(x)
