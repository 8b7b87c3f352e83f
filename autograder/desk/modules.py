"""What a zygote imports before it forks, so that desks find it in memory; each page makes a fork slower."""

COMMON = (
    *("abc", "bisect", "cmath", "collections.abc", "contextlib", "copy", "ctypes", "dataclasses", "datetime"),
    *("decimal", "enum", "fractions", "functools", "heapq", "inspect", "io", "itertools", "json", "math"),
    *("numbers", "operator", "pprint", "random", "re", "statistics", "string", "struct", "textwrap", "time"),
    *("timeit", "traceback", "types", "typing", "warnings", "numpy.linalg", "numpy.random"),
    *("numpy.lib.stride_tricks",),
)
# Where desks may open no files, these must be there from the start.
RARE = (
    *("argparse", "array", "ast", "asyncio", "atexit", "base64", "binascii", "calendar", "collections"),
    *("concurrent.futures", "csv", "difflib", "dis", "doctest", "fnmatch", "glob", "graphlib", "gzip"),
    *("hashlib", "hmac", "html", "importlib", "logging", "multiprocessing", "pathlib", "pickle", "platform"),
    *("queue", "reprlib", "secrets", "selectors", "shutil", "signal", "socket", "sqlite3", "subprocess"),
    *("symtable", "sysconfig", "tempfile", "threading", "tokenize", "tracemalloc", "unittest.mock"),
    *("urllib.parse", "uuid", "weakref", "xml.dom.minidom", "zipfile", "zlib", "zoneinfo"),
    *("numpy.char", "numpy.ctypeslib", "numpy.fft", "numpy.lib.format", "numpy.ma", "numpy.matlib"),
    *("numpy.polynomial", "numpy.rec", "numpy.testing", "numpy.typing"),
)
