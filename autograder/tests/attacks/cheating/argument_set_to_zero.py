# must: mutating the argument cannot change the grader's array (and is reported when echo is asked)
# expect: pass
import numpy as np

def softmax(x, axis=-1):
    y=x.copy(); x[...]=0
    e=np.exp(y-y.max(axis=axis,keepdims=True)); return e/e.sum(axis=axis,keepdims=True)
