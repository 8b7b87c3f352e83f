# must: unittest.SkipTest raised by the student is an error, never a skip
# expect: error
import numpy as np
import unittest
def softmax(x, axis=-1): raise unittest.SkipTest('not needed')
