"""How many graded submissions a student has used up today, by what Gradescope tells of earlier ones."""

import datetime
from collections.abc import Iterator, Mapping
from typing import Any

Previous = Mapping[str, Any]


def earlier(metadata: Any, limit: int) -> dict[str, Any] | None:
    """The latest graded result of today where the limit is reached, else None.

    Only submissions that were really graded count. What cannot be understood counts for the student.
    """
    try:
        now = datetime.datetime.fromisoformat(metadata["created_at"])
        today = [one for when, one in _graded(metadata) if when.astimezone(now.tzinfo).date() == now.date()]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    return today[-1] if limit and len(today) >= limit else None


def _graded(metadata: Previous) -> Iterator[tuple[datetime.datetime, dict[str, Any]]]:
    """Time and results of each earlier submission that was graded, the latest last."""
    found = []
    for one in metadata.get("previous_submissions") or ():
        results = one.get("results")
        if one.get("autograder_error") or not _is_graded(results):
            continue
        found.append((datetime.datetime.fromisoformat(one["submission_time"]), results))
    yield from sorted(found, key=lambda pair: pair[0])


def _is_graded(results: Any) -> bool:
    if not isinstance(results, dict) or not isinstance(results.get("tests"), list):
        return False
    about = (results.get("extra_data") or {}).get("attn") or {}
    return about.get("status", "graded") == "graded" and not about.get("repeated")
