# must: memory taken bit by bit is bounded
# expect: error died timeout
l = []
def softmax(x, axis=-1):
    while True: l.append(bytearray(1 << 24))
