# must: endless loop at import cut
# expect: timeout
import numpy as np
while True: pass
