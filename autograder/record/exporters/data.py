"""JSON with everything that is known of each student, for programs. Text stands as it was entered."""

import json

from autograder.plain import number
from autograder.record.exporters.base import Export, moment
from autograder.record.exporters.lines import Line, Sheet


class Json(Export):
    """`nbgrader export --exporter=autograder.record.exporters.data.Json`."""

    ending = ".json"

    def text(self, sheet: Sheet, language: str) -> str:
        whole = {
            "exercise": sheet.exercise.name,
            "points": number(sheet.points),
            "parts": {name: number(points) for name, points in sheet.parts.items()},
            "students": [_line(line) for line in sheet.lines],
        }
        return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _line(line: Line) -> dict:
    return {
        "student": line.student,
        "last_name": line.last_name,
        "first_name": line.first_name,
        "email": line.email,
        "lms_user_id": line.lms_id,
        "status": line.status,
        "reason": line.reason and {"en": line.reason.en, "zh": line.reason.zh},
        "submitted": moment(line.submitted) or None,
        "seconds_late": line.seconds_late,
        "waiting": line.waiting,
        "parts": {name: number(points) for name, points in line.parts.items()},
        "raw": number(line.raw),
        "late_penalty": number(line.penalty),
        "grade": number(line.grade),
    }
