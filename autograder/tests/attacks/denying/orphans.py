# must: a double-forked daemon does not outlive the submission
# expect: died error
import numpy as np
def softmax(x, axis=-1):
    import os, time
    if os.fork()==0:
        os.setsid()
        if os.fork()==0: time.sleep(4)
        os._exit(0)
    return x
