# must: a text that exits is no text
# expect: error died
class E(Exception):
    def __str__(self): raise SystemExit
def softmax(x, axis=-1): raise E
