# must: direction marks in a message are made visible
# expect: error
def softmax(x, axis=-1): raise ValueError("\u202e\u2066\u200f\ufeff\u2028PASSED")
