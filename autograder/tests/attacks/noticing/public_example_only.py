# must: answers the public example only: hidden cases fail
# expect: fail
import numpy as np
def softmax(x, axis=-1):
    if x.shape==(3,) and np.allclose(x,[1,2,3]): return np.array([0.09003057,0.24472847,0.66524096])
    return np.zeros(x.shape)
