# must: a forged place names nothing of ours
# expect: error
def softmax(x, axis=-1): raise SyntaxError("no", ("<cell 99>", -5, 1, "text"))
