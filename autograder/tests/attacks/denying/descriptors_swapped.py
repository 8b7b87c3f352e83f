# must: another descriptor in the place of the line ends the desk alone
# expect: died
import os
def softmax(x, axis=-1):
    os.dup2(0, 3)
    return x
