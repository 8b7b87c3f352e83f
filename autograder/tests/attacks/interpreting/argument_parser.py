# must: an argument parser at the start exits and costs its cell
# expect: load-error
import argparse
argparse.ArgumentParser().parse_args(["--nonsense"])
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
