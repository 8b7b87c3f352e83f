# must: terminal escapes, HTML, newlines and bidi marks in messages are made harmless
# expect: error
import numpy as np
def softmax(x, axis=-1): raise ValueError('\x1b[2J\x1b[31m</pre><script>alert(1)</script>\n\u202ePASSED 40/40')
