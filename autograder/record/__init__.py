"""Recording: the one writer of nbgrader's gradebook, and the passes that replace nbgrader's."""

import sys

# jsonschema, which nbgrader imports, would compile the grammar of a format that no notebook has: 0.8 s.
UNUSED = "rfc3987_syntax"
if UNUSED not in sys.modules:
    sys.modules[UNUSED] = None
    import jsonschema  # noqa: F401

    del sys.modules[UNUSED]
