# must: notes without end stop with the time of the call
# expect: timeout died
@FORGE@
def softmax(x, axis=-1):
    note = frame({"k": "late", "i": desk()._request, "at": [1, 1]})
    while True: raw(note)
