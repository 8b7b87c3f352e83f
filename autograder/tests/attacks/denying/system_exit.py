# must: SystemExit is the student's error
# expect: error
import numpy as np
def softmax(x, axis=-1):
    raise SystemExit(0)
