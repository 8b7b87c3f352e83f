# must: missing function is named in the message
# expect: error
import numpy as np
def sofmax(x): return x
