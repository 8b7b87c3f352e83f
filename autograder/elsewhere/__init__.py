"""Grading and checking on systems that are none of ours: Gradescope, GitHub."""
