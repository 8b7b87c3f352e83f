# must: bytes that are no truth values end the desk
# expect: died
@FORGE@
def softmax(x, axis=-1):
    raw(frame(value({"a": 0}, [["|b1", [3], ""]]), b"\x02\x03\xff")); os._exit(0)
