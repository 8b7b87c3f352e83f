# must: abort kills the worker only; no core file
# expect: died
import numpy as np
def softmax(x, axis=-1):
    import os; os.abort()
