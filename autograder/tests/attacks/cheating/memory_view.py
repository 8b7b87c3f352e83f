# must: a buffer never crosses
# expect: error
import numpy as np
def softmax(x, axis=-1): return memoryview(x)
