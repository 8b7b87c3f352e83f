# must: 4 GiB lengths refused before any allocation
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame({}, b'', 0xFFFFFFFF, 0xFFFFFFFF))
    os._exit(0)
