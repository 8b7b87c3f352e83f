# must: a list of a million numbers never crosses
# expect: error
import numpy as np
def softmax(x, axis=-1): return [0.0] * 10**6
