# must: 5 000-digit integer refused
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame(json.dumps(value(0)).replace('"v": 0', '"v": ' + '9' * 5000).encode()))
    os._exit(0)
