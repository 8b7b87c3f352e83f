# must: an answer with another number ends the desk
# expect: died
@FORGE@
def softmax(x, axis=-1):
    h = value(1.0); h["i"] += 7
    raw(frame(h)); return x
