# must: a long product is stopped from outside
# expect: timeout died error
import numpy as np
def softmax(x, axis=-1):
    a = np.ones((3000, 3000))
    for _ in range(10**6): a = a @ a
