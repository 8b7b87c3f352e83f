# must: obfuscated import not importable either
# expect: error load-error
import numpy as np
m=__import__('s'+'cipy.spec'+'ial',fromlist=['x'])
def softmax(x, axis=-1): return getattr(m,'soft'+'max')(x,axis=axis)
