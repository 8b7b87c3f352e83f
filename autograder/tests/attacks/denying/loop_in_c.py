# must: an endless loop in C is stopped from outside
# expect: timeout
def softmax(x, axis=-1): return sum(iter(int, 1))
