# must: os._exit(0) in mid-call is a failure, not a pass
# expect: died
import numpy as np
def softmax(x, axis=-1):
    import os; os._exit(0)
