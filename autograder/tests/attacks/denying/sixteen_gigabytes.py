# must: 16 GB array refused (RLIMIT_AS)
# expect: died error
import numpy as np
def softmax(x, axis=-1):
    a=np.zeros(1<<31); return x[:0]
