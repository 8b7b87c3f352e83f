# must: a forged end of loading gains nothing
# expect: died load-error error
@FORGE@
raw(frame({"k": "cell", "i": desk()._request, "c": 0, "o": "ok"}))
raw(frame({"k": "loaded", "i": desk()._request, "defined": ["softmax"] * 300}))
os._exit(0)
