# must: descriptor exhaustion bounded
# expect: error pass
import numpy as np
import os
def softmax(x, axis=-1):
    l=[os.open('/dev/null',os.O_RDONLY) for i in range(5000)]
    return x
