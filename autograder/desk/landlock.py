"""Landlock (Linux 5.13 and later): the files that a process may read, laid down for good."""

import ctypes
import errno
import os
import stat
import struct
from collections.abc import Iterable

CREATE, ADD, RESTRICT = 444, 445, 446  # the three system calls; the same numbers on every architecture
VERSION, PATH_BENEATH = 1, 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # ABI that brought them: rights on files
NETWORK, NETWORK_ABI = 0b11, 4  # TCP's bind and connect
SCOPES, SCOPES_ABI = 0b11, 6  # abstract unix sockets and signals to processes outside


class LandlockError(Exception):
    """The kernel did not take the rules."""


def abi(libc: ctypes.CDLL, most: int | None = None) -> int:
    """The version of Landlock that this kernel has, 0 for none. `most`: behave like an older kernel."""
    found = max(libc.syscall(CREATE, None, ctypes.c_size_t(0), VERSION), 0)
    return found if most is None else min(found, most)


def ruleset(libc: ctypes.CDLL, version: int, readable: Iterable[str], listed: Iterable[str] = ()) -> int:
    """A descriptor of rules: `readable` paths and all below, `listed` folders by names alone."""
    rights = sum(value for since, value in FILE_RIGHTS.items() if since <= version)
    attributes = struct.pack("Q", rights)
    if version >= NETWORK_ABI:
        attributes += struct.pack("Q", NETWORK)
    if version >= SCOPES_ABI:
        attributes += struct.pack("Q", SCOPES)
    rules = libc.syscall(CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        raise LandlockError(f"no ruleset: {errno.errorcode.get(ctypes.get_errno())}")
    for path in readable:
        _allow(libc, rules, path, READ_FILE | READ_DIR)
    for path in listed:
        _allow(libc, rules, path, READ_DIR)
    return rules


def _allow(libc: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # what is not there need not be allowed
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= ~READ_DIR
        rule = struct.pack("<Qi", rights, descriptor)
        if libc.syscall(ADD, rules, PATH_BENEATH, rule, 0):
            raise LandlockError(f"no rule for {path}: {errno.errorcode.get(ctypes.get_errno())}")
    finally:
        os.close(descriptor)


def restrict(libc: ctypes.CDLL, rules: int) -> None:
    """Puts this process behind the rules; no_new_privs has to be set. Raises LandlockError."""
    if libc.syscall(RESTRICT, rules, 0):
        raise LandlockError(f"not restricted: {errno.errorcode.get(ctypes.get_errno())}")
