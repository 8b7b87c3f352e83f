# must: a dictionary never crosses
# expect: error
import numpy as np
def softmax(x, axis=-1): return {"a": x}
