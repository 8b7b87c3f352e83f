# must: segmentation fault kills the worker only
# expect: died
import numpy as np
def softmax(x, axis=-1):
    import ctypes; return ctypes.string_at(0)
