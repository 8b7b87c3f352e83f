# must: a chain in a ring is not followed
# expect: error
def softmax(x, axis=-1):
    a, b = ValueError(1), ValueError(2)
    a.__cause__, b.__cause__ = b, a
    a.__context__, b.__context__ = b, a
    raise a
