# must: float subclass refused
# expect: error fail
import numpy as np

class F(float):
    def __eq__(s, o): return True
    def __sub__(s, o): return F(0)
    __rsub__ = __sub__
    def __abs__(s): return F(0)
def softmax(x, axis=-1): return F(1)
