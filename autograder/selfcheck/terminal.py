"""python -m selfcheck: the same checks without Jupyter."""
