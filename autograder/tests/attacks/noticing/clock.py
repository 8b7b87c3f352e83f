# must: behaviour that depends on the date is visible only by reruns (log the time)
# expect: pass
import numpy as np
import time
def softmax(x, axis=-1):
    e=np.exp(x-x.max(axis=axis,keepdims=True)); return e/e.sum(axis=axis,keepdims=True)
