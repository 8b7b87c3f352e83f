# must: no module of the grading side is in memory
# expect: pass
import sys
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    names = [m for m in sys.modules if m.startswith(('autograder', 'pytest', '_pytest', 'nbgrader', 'hypothesis'))]
    return 'ESCAPED ' + str(names) if names else 'nothing'
