# must: a patched wire ends the desk
# expect: died fail error
import sys
for name, module in list(sys.modules.items()):
    if name.endswith("wire") or name.endswith("worker") or name.endswith("channel"):
        for key in list(vars(module)):
            if not key.startswith("__"): setattr(module, key, lambda *a, **k: b"")
def softmax(x, axis=-1): return x
