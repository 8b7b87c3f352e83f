# must: an exit in a destructor ends the desk alone
# expect: died fail
import os
class D:
    def __del__(self): os._exit(0)
def softmax(x, axis=-1):
    D()
    return x
