# must: a loop while a function is defined costs its cell
# expect: timeout
def slow(f):
    while True: pass
@slow
def softmax(x, axis=-1): return x
