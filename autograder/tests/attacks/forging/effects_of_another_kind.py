# must: effects that are no effects end the desk
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame({**value(1.0), "c": [["x"]], "p": 7})); os._exit(0)
