# must: patched builtins live and die at their desk
# expect: died error fail load-error
import builtins
builtins.isinstance = lambda *a: True
builtins.len = lambda *a: 0
builtins.type = lambda *a: float
def softmax(x, axis=-1): return x
