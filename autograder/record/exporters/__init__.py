"""Grades in the formats that they leave by: one module a format, each an nbgrader ExportPlugin."""
