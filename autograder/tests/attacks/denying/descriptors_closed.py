# must: closing every descriptor ends the desk alone
# expect: died fail
import os
def softmax(x, axis=-1):
    os.closerange(0, 100)
    return x
