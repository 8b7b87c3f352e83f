# must: a sleep while a function is defined costs its cell
# expect: timeout
import time
def softmax(x, axis=time.sleep(100)): return x
