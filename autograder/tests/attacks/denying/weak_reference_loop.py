# must: a callback that never ends is stopped
# expect: timeout died fail error
import weakref
class A: pass
def loop(r):
    while True: pass
def softmax(x, axis=-1):
    a = A(); a.r = weakref.ref(a, loop); keep.append(a.r); del a
    return x
keep = []
