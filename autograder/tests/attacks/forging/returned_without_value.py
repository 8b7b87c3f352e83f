# must: an answer without its value ends the desk
# expect: died
@FORGE@
def softmax(x, axis=-1):
    h = value(1.0); del h["v"]
    raw(frame(h)); os._exit(0)
