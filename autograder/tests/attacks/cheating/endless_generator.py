# must: infinite generator refused, not consumed
# expect: error
import numpy as np
def softmax(x, axis=-1):
    def g():
        while True: yield 1.0
    return g()
