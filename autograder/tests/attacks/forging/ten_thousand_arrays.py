# must: 10 000 arrays refused
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame(value([{'a': 0}] * 1500, [['|u1', [0], '']] * 1500)))
    os._exit(0)
