# must: a group of a thousand is one exception
# expect: error
def softmax(x, axis=-1): raise ExceptionGroup("many", [ValueError(i) for i in range(1000)])
