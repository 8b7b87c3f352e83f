# must: a text of another type is no text
# expect: error
class S(str):
    def __getitem__(self, i): raise SystemExit
    def encode(self, *a): return b"forged"
class E(Exception):
    def __str__(self): return S("x")
def softmax(x, axis=-1): raise E
