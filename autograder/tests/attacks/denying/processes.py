# must: a pool of processes is refused
# expect: error died
import multiprocessing
def softmax(x, axis=-1):
    with multiprocessing.Pool(2) as pool: return pool.map(abs, x)
