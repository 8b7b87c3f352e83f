# must: right for the first 2 calls, wrong after: later cases or a fresh worker in another order show it
# expect: fail
import numpy as np
n=0
def softmax(x, axis=-1):
    global n; n+=1
    e=np.exp(x-x.max(axis=axis,keepdims=True)); y=e/e.sum(axis=axis,keepdims=True)
    return y if n<=2 else y*2
