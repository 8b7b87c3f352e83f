# must: a loop that swallows its time-out is stopped
# expect: timeout
def softmax(x, axis=-1):
    while True:
        try:
            while True: pass
        except BaseException: pass
