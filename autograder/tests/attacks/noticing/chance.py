# must: chance is drawn alike in every run
# expect: fail pass
import random, numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True) if random.random() < 0.99 else x
