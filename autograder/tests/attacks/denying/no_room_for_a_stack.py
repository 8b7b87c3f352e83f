# must: a deep call costs the desk alone
# expect: died error timeout
import sys
sys.setrecursionlimit(10**9)
def softmax(x, axis=-1):
    f = lambda n: f(n + 1)
    return f(0)
