# must: recursion while loading costs its cell
# expect: load-error died timeout
def f(): f()
import sys
sys.setrecursionlimit(10**9)
f()
