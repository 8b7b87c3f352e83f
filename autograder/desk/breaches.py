"""The self-test: breaches that are tried from where students' code runs, before each run.

This file is never imported. Its text is loaded at a desk as a cell, and each function called as a student's
would be; each returns True where it got through. What they try is gentle even where nothing holds it back.
"""

import ctypes
import os
import socket
import subprocess


def _succeeds(action, *arguments):
    try:
        return action(*arguments)
    except (OSError, RuntimeError, ImportError):
        return False


def reads_a_file_of_the_system():
    return any(
        _succeeds(_reads, path)
        for path in ("/etc/passwd", "/etc/hostname", "/proc/1/environ", "/proc/version")
    )


def _reads(path):
    with open(path, "rb") as file:  # noqa: PTH123 the shortest path to the system call
        return file.read(1) is not None


def reads_a_file_of_the_kit(path):
    return _succeeds(_reads, path)


def lists_a_folder():
    return any(_succeeds(_lists, path) for path in ("/home", "/tmp", "/root", "/proc", "/"))


def _lists(path):
    return os.listdir(path) is not None  # noqa: PTH208 the shortest path to the system call


def writes_a_file():
    return any(_succeeds(_writes, folder) for folder in ("/tmp", "/var/tmp", "/dev/shm", "/"))


def _writes(folder):
    path = f"{folder}/{os.getpid()}.breach"
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    os.unlink(path)  # noqa: PTH108 as above
    return True


def makes_a_socket():
    return any(_succeeds(_socket, family) for family in (socket.AF_INET, socket.AF_UNIX))


def _socket(family):
    socket.socket(family, socket.SOCK_DGRAM).close()
    return True


def starts_a_process():
    return _succeeds(_forks)


def _forks():
    if (pid := os.fork()) == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True


def runs_a_program():
    return _succeeds(lambda: subprocess.run(["/bin/true"], timeout=5).returncode == 0)


def signals_its_parent():
    return _succeeds(lambda: os.kill(os.getppid(), 0) is None)


def reads_its_parents_memory():
    libc = ctypes.CDLL(None)
    here, there = ctypes.create_string_buffer(8), ctypes.c_void_p(id(os))
    local = (ctypes.c_void_p * 2)(ctypes.addressof(here), 8)
    remote = (ctypes.c_void_p * 2)(there.value, 8)
    return libc.process_vm_readv(os.getppid(), local, 1, remote, 1, 0) > 0


def traces_its_parent():
    libc = ctypes.CDLL(None)
    seized = libc.ptrace(0x4206, os.getppid(), 0, 0) == 0
    if seized:
        libc.ptrace(17, os.getppid(), 0, 0)
    return seized


def shares_memory():
    libc = ctypes.CDLL(None)
    segment = libc.shmget(0, 4096, 0o1600)
    if segment >= 0:
        libc.shmctl(segment, 0, None)
    return segment >= 0 or _succeeds(lambda: os.close(os.memfd_create("breach")) is None)


def enters_a_namespace():
    return ctypes.CDLL(None).unshare(0x10000000) == 0


def raises_its_limits():
    import resource

    return _succeeds(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE) is not None)
