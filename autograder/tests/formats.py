"""Checkers of what Canvas and Moodle take, written from what is known of them and from nothing of ours."""

import csv
import io

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
