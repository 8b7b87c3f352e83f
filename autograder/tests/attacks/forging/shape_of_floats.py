# must: float / bool dims refused
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame(value({'a': 0}, [['<f8', [3.0], '']]), bytes(24)))
    os._exit(0)
