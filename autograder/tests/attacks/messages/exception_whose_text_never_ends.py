# must: a text that takes for ever ends with the call
# expect: error timeout died
class E(Exception):
    def __str__(self):
        while True: pass
def softmax(x, axis=-1): raise E
