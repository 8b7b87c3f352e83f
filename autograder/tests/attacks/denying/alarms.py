# must: alarms cost the desk alone
# expect: died error timeout
import signal
def softmax(x, axis=-1):
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    while True: pass
