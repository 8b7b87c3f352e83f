# must: dtype text that numpy would parse (',' lists, void) refused by exact table
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame(value({'a': 0}, [['<f8,O', [1], '']]), bytes(16)))
    os._exit(0)
