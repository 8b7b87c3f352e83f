# must: a flood on the line ends the desk
# expect: died timeout
@FORGE@
def softmax(x, axis=-1):
    block = frame(value([0] * 1000))
    while True: raw(block)
