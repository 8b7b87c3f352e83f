# must: masked array loses its mask (a fully masked array passes assert_allclose in-process)
# expect: fail
import numpy as np
def softmax(x, axis=-1): return np.ma.masked_all(x.shape)
