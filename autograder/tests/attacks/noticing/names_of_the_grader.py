# must: no pytest / grader name in sys.modules, argv, env, parent's command line
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    s=" ".join(m for m in sys.modules if m.split(".")[0] in ("pytest","_pytest","grader"))+" ".join(sys.argv)+str(dict(os.environ))
    try: s+=open("/proc/%d/cmdline"%os.getppid()).read()
    except OSError: pass
    return "ESCAPED "+s[:100] if "pytest" in s or "PYTEST" in s else "nothing to see"
