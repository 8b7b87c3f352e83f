# must: rare system calls are refused
# expect: pass
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def probe():
    import ctypes
    L = ctypes.CDLL(None, use_errno=True)
    r = []
    numbers = {'memfd_create': 319, 'userfaultfd': 323, 'bpf': 321, 'perf_event_open': 298, 'io_uring_setup': 425, 'keyctl': 250, 'add_key': 248, 'pidfd_open': 434, 'seccomp': 317, 'name_to_handle_at': 303, 'open_by_handle_at': 304, 'fanotify_init': 300, 'inotify_init1': 294, 'eventfd2': 290, 'timerfd_create': 283, 'signalfd4': 289, 'epoll_create1': 291, 'pipe2': 293, 'socketpair': 53, 'shmget': 29, 'msgget': 68, 'semget': 64, 'mq_open': 240, 'personality': 135, 'setsid': 112, 'chroot': 161, 'ptrace': 101, 'kcmp': 312, 'move_pages': 279, 'mbind': 237, 'swapon': 167, 'reboot': 169, 'init_module': 175, 'acct': 163, 'settimeofday': 164, 'quotactl': 179, 'landlock_create_ruleset': 444, 'process_madvise': 440, 'pidfd_getfd': 438, 'clone': 56, 'vfork': 58, 'execveat': 322, 'mount_setattr': 442, 'fsopen': 430, 'sendfile': 40, 'splice': 275, 'vmsplice': 278, 'copy_file_range': 326, 'futex_waitv': 449, 'cachestat': 451, 'map_shadow_stack': 453, 'rt_sigqueueinfo': 129, 'tgkill': 234, 'tkill': 200, 'kill': 62}
    import platform
    if platform.machine() != 'x86_64': return 'other numbers'
    for n, k in numbers.items():
        if n in ('clone', 'vfork', 'reboot'): continue
        ctypes.set_errno(0)
        if L.syscall(k, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (1, 38): r.append(n)
    return 'ESCAPED ' + str(r) if r else 'blocked'
