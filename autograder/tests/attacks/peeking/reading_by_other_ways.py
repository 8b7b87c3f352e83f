# must: no other way of reading a file works
# expect: pass
import os
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import mmap, linecache, io, codecs, pathlib, shutil, zipimport, runpy, tokenize
    t = '@SECRET@/reference.py'
    r = []
    for f in (lambda: open(t).read(), lambda: io.open_code(t).read(), lambda: codecs.open(t).read(), lambda: pathlib.Path(t).read_text(), lambda: runpy.run_path(t), lambda: tokenize.open(t).read(), lambda: linecache.getlines(t)[0], lambda: np.fromfile(t, 'u1')[0], lambda: np.loadtxt(t, str)[0], lambda: np.memmap(t, 'u1', 'r')[0], lambda: np.genfromtxt(t)[0], lambda: os.readlink(t), lambda: os.open(t, os.O_PATH), lambda: os.open('@SECRET@', os.O_DIRECTORY)):
        try: f(); r.append(1)
        except Exception: pass
    return 'ESCAPED' if r else 'blocked'
