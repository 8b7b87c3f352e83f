# must: a ragged list is no array
# expect: fail
import numpy as np
def softmax(x, axis=-1): return [[1.0], [1.0, 2.0]]
