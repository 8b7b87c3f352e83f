# must: waiting for nothing is cut
# expect: timeout error
import select
def softmax(x, axis=-1): select.select([], [], [])
