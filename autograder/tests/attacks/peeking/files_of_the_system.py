# must: no file of the system can be read
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    r = []
    for p in ('/etc/passwd', '/etc/hostname', '/etc/ssh/ssh_config', '/proc/self/maps', '/proc/self/environ', '/proc/self/cmdline', '/proc/1/cmdline', '/proc/meminfo', '/sys/kernel/notes', '/dev/mem', '/dev/urandom', '/var/log/dpkg.log'):
        try: open(p, 'rb').read(1); r.append(p)
        except OSError: pass
    return 'ESCAPED ' + str(r) if r else 'blocked'
