# must: an 8 TB as_strided view costs the worker a MemoryError, the grader nothing
# expect: died error
import numpy as np
def softmax(x, axis=-1): return np.lib.stride_tricks.as_strided(np.ones(1),(1<<20,1<<20),(0,0))
