# must: a loop in a destructor is stopped
# expect: timeout died fail error
class D:
    def __del__(self):
        while True: pass
def softmax(x, axis=-1):
    D()
    return x
