# must: memory taken while loading is bounded
# expect: load-error died timeout error
l = []
while True: l.append(bytearray(1 << 24))
