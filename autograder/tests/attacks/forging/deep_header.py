# must: a header nested without end ends the desk
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame(b'{"k":' + b"[" * 60000 + b"]" * 60000 + b"}"[:1])); return x
