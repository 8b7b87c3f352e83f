# must: patched np.all / np.abs / np.allclose change no verdict
# expect: fail
import numpy as np
np.testing.assert_allclose=lambda *a,**k: None
np.allclose=np.all=lambda *a,**k: True
np.abs=lambda x: np.zeros(1)
def softmax(x,axis=-1): return np.zeros(x.shape)
