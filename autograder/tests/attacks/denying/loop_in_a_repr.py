# must: a loop in a repr is never called
# expect: error
class D:
    def __repr__(self):
        while True: pass
    __str__ = __format__ = __repr__
def softmax(x, axis=-1): return D()
