# must: sleep cut at the call limit
# expect: timeout
import numpy as np
def softmax(x, axis=-1):
    import time; time.sleep(60)
    return x
