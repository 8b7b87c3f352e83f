# must: a list in itself never crosses
# expect: error
def softmax(x, axis=-1):
    l = []; l.append(l); return l
