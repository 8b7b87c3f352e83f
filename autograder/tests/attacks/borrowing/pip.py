# must: no pip install from the submission
# expect: error load-error pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import subprocess,sys
    try: return 'ESCAPED '+str(subprocess.run([sys.executable,'-m','pip','--version'],capture_output=True,timeout=5).returncode)
    except BaseException as e: return 'blocked'
