# must: a desk that stops itself is ended
# expect: error died timeout fail
import os, signal
def softmax(x, axis=-1):
    os.kill(os.getpid(), signal.SIGSTOP)
    return x
