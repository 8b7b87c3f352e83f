# must: a shape of nothing times very much never crosses
# expect: error fail
import numpy as np
def softmax(x, axis=-1): return np.zeros((0, 1 << 40))
