# must: a 200 MB result is refused before the grader allocates it
# expect: died error
import numpy as np
def softmax(x, axis=-1): return np.zeros(200<<20, np.uint8)
