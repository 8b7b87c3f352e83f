"""Recording: the one writer of nbgrader's gradebook, and the passes that replace nbgrader's."""
