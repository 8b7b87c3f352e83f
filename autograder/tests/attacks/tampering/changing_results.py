# must: tests, results and source cannot be opened for writing, truncated, renamed or removed
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
import os, sys
def probe():
    t="@SECRET@/results/grades.json"; r=[]
    for n,f in (("append",lambda: open(t,"a").close()),("r+",lambda: open(t,"r+").close()),("truncate",lambda: os.truncate(t,os.stat(t).st_size)),("rename",lambda: (os.rename(t,t+".x"),os.rename(t+".x",t))),("link",lambda: (os.link(t,t+".l"),os.unlink(t+".l"))),("symlink",lambda: (os.symlink(t,t+".s"),os.unlink(t+".s"))),("mkdir",lambda: (os.mkdir(t+".d"),os.rmdir(t+".d"))),("mkfifo",lambda: (os.mkfifo(t+".f"),os.unlink(t+".f")))):
        try: f(); r.append(n)
        except (OSError,AttributeError): pass
    return "ESCAPED "+str(r) if r else "blocked"
