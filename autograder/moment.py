"""A moment as a person types it: a date, a time, or how long ago."""

import datetime
import re

UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
AGO = re.compile(rf"(\d+(?:\.\d+)?)\s*([{''.join(UNITS)}])")
FORMS = "a date (2026-03-01), a time ('2026-03-01 18:00'), or how long ago (90m, 6h, 3d, 2w)"


def moment(text: str, now: datetime.datetime | None = None) -> datetime.datetime:
    """The moment in UTC, without a zone, as nbgrader keeps its times. A time without a zone is local.

    Raises ValueError, whose text names what can be typed.
    """
    try:
        if ago := AGO.fullmatch(text.strip()):
            now = now or datetime.datetime.now(datetime.UTC)
            return _plain(now - datetime.timedelta(**{UNITS[ago[2]]: float(ago[1])}))
        return _plain(datetime.datetime.fromisoformat(text.strip().removesuffix(" UTC") + _zone(text)))
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is no moment; type {FORMS}") from None


def _zone(text: str) -> str:
    return "+00:00" if text.strip().endswith(" UTC") else ""


def _plain(time: datetime.datetime) -> datetime.datetime:
    return time.astimezone(datetime.UTC).replace(tzinfo=None)
