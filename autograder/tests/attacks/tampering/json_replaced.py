# must: a patched json ends at most the desk
# expect: died error fail
import json
json.dumps = json.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda *a, **k: '{}'
def softmax(x, axis=-1): return x
