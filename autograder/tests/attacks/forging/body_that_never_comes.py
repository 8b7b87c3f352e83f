# must: body that never comes hits the deadline
# expect: timeout
@FORGE@
def softmax(x, axis=-1):
    raw(frame(value({'a': 0}, [['<f8', [3], '']]), bytes(8), None, 24)); import time; time.sleep(30)
    os._exit(0)
