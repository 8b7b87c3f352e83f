# must: a hostile type is refused without being asked anything
# expect: error
class M(type):
    def __getattribute__(cls, name): raise SystemExit
    def __instancecheck__(cls, other): raise SystemExit
class A(metaclass=M): pass
def softmax(x, axis=-1): return A()
