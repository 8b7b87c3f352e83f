# must: a signal to itself is refused or costs the desk alone
# expect: error died fail
import os, signal
def softmax(x, axis=-1):
    os.kill(os.getpid(), signal.SIGKILL)
    return x
