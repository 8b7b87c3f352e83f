# must: noise on the line ends the desk
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(os.urandom(4096)); return x
