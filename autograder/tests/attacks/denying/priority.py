# must: a desk cannot put itself first or last
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import os
    r = []
    for f in (lambda: os.nice(-5), lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)), lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 5)):
        try: f(); r.append(1)
        except OSError: pass
    return 'ESCAPED' if r else 'blocked'
