# must: C stack overflow kills the worker only
# expect: died error timeout
import numpy as np
def softmax(x, axis=-1):
    import sys; sys.setrecursionlimit(10**8)
    class A:
        def __getattr__(s,n): return getattr(s,n+'a')
    l=[]
    for i in range(2000000): l=[l]
    return repr(l) and A().x
