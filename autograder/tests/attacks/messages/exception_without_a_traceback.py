# must: a traceback that is tampered with names no line
# expect: error
def softmax(x, axis=-1):
    e = ValueError(1)
    class T: pass
    try: raise e
    finally: e.__traceback__ = None
