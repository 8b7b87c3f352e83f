# must: a loop in a finally is stopped
# expect: timeout
def softmax(x, axis=-1):
    try:
        while True: pass
    finally:
        while True: pass
