# must: fork refused
# expect: died error
import numpy as np
def softmax(x, axis=-1):
    import os, time
    for i in range(4):
        if os.fork()==0:
            time.sleep(2); os._exit(0)
    return x
