# must: 10**6000 refused
# expect: error fail
import numpy as np
def softmax(x, axis=-1): return 10**6000
