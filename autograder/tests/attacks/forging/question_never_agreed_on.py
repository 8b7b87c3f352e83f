# must: a question for a function that is not on offer ends the desk
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame({"k": "ask", "i": desk()._request, "n": 1, "name": "softmax", "v": {"t": [{"t": [1]}, []]}, "a": []}))
    import time; time.sleep(0.1)
    return desk()._line.answer(1)
