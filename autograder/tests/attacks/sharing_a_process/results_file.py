# must: writing results.json / report.xml next to the grader changes no verdict
# expect: fail
import numpy as np
import os, json
for p in ('results.json','/autograder/results/results.json','report.xml'):
    try:
        os.makedirs(os.path.dirname(p) or '.',exist_ok=True); open(p,'w').write(json.dumps({'score':100}))
    except OSError: pass
def softmax(x, axis=-1): return x
