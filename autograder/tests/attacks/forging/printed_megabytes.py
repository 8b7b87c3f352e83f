# must: a header over its bound ends the desk
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame({**value(1.0), "p": "x" * 10**6})); os._exit(0)
