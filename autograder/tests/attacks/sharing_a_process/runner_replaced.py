# must: replacing pytest's Function.runtest in the worker changes no verdict
# expect: fail load-error
import numpy as np
try:
    import _pytest.python as p
    p.Function.runtest=lambda self: None
except BaseException: pass
def softmax(x,axis=-1): return x
