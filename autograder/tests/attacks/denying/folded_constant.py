# must: constant-folding bomb bounded
# expect: died error fail load-error timeout
import numpy as np
x=((((2**64)**64)**64)**64)
def softmax(x,axis=-1): return x
