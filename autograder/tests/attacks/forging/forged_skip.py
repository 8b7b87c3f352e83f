# must: forged error names (Skipped, Exit, XFailed, KeyboardInterrupt, AssertionError) never become that exception
# expect: died error
@FORGE@
def softmax(x, axis=-1):
    raw(frame({**value(0), 'o': 'raised', 'e': ['Skipped', 'x', None, None]}))
    os._exit(0)
