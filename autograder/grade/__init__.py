"""Grading: a pure map from submissions to gradesheets."""
