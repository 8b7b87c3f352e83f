# must: a number that takes for ever is stopped
# expect: timeout died
def softmax(x, axis=-1): return len(str(7 ** (7 ** 8))) and 9 ** 9 ** 9
