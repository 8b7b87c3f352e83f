# must: 0 x 2**62 shape refused (numpy would raise a surprise)
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame(value({'a': 0}, [['<f8', [0, 1 << 62], '']])))
    os._exit(0)
