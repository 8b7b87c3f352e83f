# must: None is no array
# expect: fail
import numpy as np
def softmax(x, axis=-1): return None
