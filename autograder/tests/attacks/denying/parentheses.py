# must: deeply nested source crashes at most the worker
# expect: died load-error
import numpy as np
x=@PARENTHESES@
