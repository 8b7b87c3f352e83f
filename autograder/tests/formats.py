"""Checkers of what Canvas, Moodle and Gradescope take, written from what is known of them alone."""

import csv
import io
import json

COMPUTED = ("Current", "Final")
KINDS = ("Score", "Points", "Grade")


def canvas(content: bytes) -> dict[str, str]:
    """Refuses what Canvas would not import; gives each student's grade by the best identity in the row."""
    header, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    assert header[:2] == ["Student", "ID"], header
    last = header.index("Section")
    assert header[2:last] in ([], ["SIS User ID", "SIS Login ID"]), header
    titles = header[last + 1 :]
    assert titles and not [t for t in titles if t.split()[0] in COMPUTED and t.split()[1] in KINDS]
    assert rows[0][0] == "    Points Possible" and all(float(cell) > 0 for cell in rows[0][last + 1 :])
    assert all(len(row) == len(header) for row in rows)
    grades = {}
    for row in rows[1:]:
        who = next(cell for cell in (row[1], *row[2:last], row[0]) if cell)
        assert who not in grades, f"two rows for {who}"
        cell = row[last + 1]
        assert cell in ("", "EX") or float(cell) >= 0
        grades[who] = cell
    return grades


def moodle(content: bytes, known: set[str]) -> dict[str, tuple[str, str]]:
    """Refuses what Moodle would not import for users with these names; gives grade and feedback by name."""
    text = content.decode("utf-8")
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    assert header[:3] == ["username", "email", "idnumber"]
    item, feedback = header[3:5]
    assert feedback == f"{item} feedback" and len(set(header)) == len(header)
    assert all(len(row) == len(header) for row in rows)
    assert {row[0] for row in rows} <= known, "one unknown user stops the whole import"
    for row in rows:
        assert row[3] in ("", "-") or 0 <= float(row[3]) <= 100
        assert "\n" not in row[4] and "\r" not in row[4]
    return {row[0]: (row[3], row[4]) for row in rows}


SEEN = ("hidden", "after_due_date", "after_published", "visible")
TEXTS = ("text", "html", "simple_format", "md", "ansi")
TOP = "score execution_time output output_format visibility stdout_visibility extra_data tests leaderboard"
TEST = "score max_score status name number output output_format tags visibility extra_data"


def gradescope(content: bytes) -> dict[str, tuple[float, float]]:
    """Refuses what Gradescope would not show; gives each test's score and most."""
    whole = json.loads(content)
    assert whole.keys() <= set(TOP.split()) and ("score" in whole or whole.get("tests"))
    assert whole.get("visibility", "visible") in SEEN and whole.get("stdout_visibility", "visible") in SEEN
    assert type(whole.get("output", "")) is str and whole.get("output_format", "text") in TEXTS
    for test in whole["tests"]:
        assert test.keys() <= set(TEST.split())
        assert test["status"] in ("passed", "failed") and test["visibility"] in SEEN
        assert type(test["name"]) is type(test["output"]) is str and test["output_format"] in TEXTS
        assert 0 <= test["score"] <= test["max_score"]
    return {test["name"]: (test["score"], test["max_score"]) for test in whole["tests"]}
