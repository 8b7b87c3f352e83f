# must: catastrophic regular expression cut
# expect: timeout
import numpy as np
def softmax(x, axis=-1):
    import re; re.match(r'(a+)+$','a'*40+'b')
    return x
