# must: NaN / Infinity / 1e999 literals refused
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame(json.dumps(value(0)).replace('"v": 0', '"v": 1e999').encode()))
    os._exit(0)
