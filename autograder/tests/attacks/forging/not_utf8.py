# must: invalid UTF-8 refused
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame(json.dumps(value('?')).encode().replace(b'?', b'\xff\xfe')))
    os._exit(0)
