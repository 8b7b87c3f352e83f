# must: object dtype never crosses
# expect: error
import numpy as np

class Z:
    def __sub__(s,o): return 0.0
    __rsub__=__sub__
    def __eq__(s,o): return True
def softmax(x, axis=-1):
    a=np.empty(x.shape,object); a.fill(Z()); return a
