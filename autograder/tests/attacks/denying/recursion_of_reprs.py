# must: recursion in C costs the desk alone
# expect: died error timeout
def softmax(x, axis=-1):
    import sys; sys.setrecursionlimit(10**9)
    class A:
        def __repr__(self): return repr(self)
    return repr(A())
