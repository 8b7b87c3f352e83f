# must: waiting for a signal that never comes is cut
# expect: timeout
import signal
def softmax(x, axis=-1): signal.pause()
