# must: no file can be created anywhere
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    ok=[]
    for p in ("attack_left_a","/tmp/attack_left_b","/var/tmp/attack_left_c","/dev/shm/attack_left_d",os.path.expanduser("~/attack_left_e"),os.path.join(os.path.dirname(np.__file__),"attack_left_f.py"),"@SECRET@/submissions/attack_left_g","@WRITABLE@/attack_left_h"):
        try: open(p,"w").write("x"); ok.append(p)
        except OSError: pass
    for p in ok: os.unlink(p)
    return "ESCAPED "+str(ok) if ok else "blocked"
