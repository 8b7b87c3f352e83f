# must: a desk that switches its own clock off is stopped from outside
# expect: timeout
import signal
def softmax(x, axis=-1):
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    while True: pass
