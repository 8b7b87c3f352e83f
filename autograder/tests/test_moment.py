"""A moment as a person types it: a date, a time with or without a zone, or how long ago."""

import datetime
import time

import pytest

from autograder.moment import moment

NOW = datetime.datetime(2026, 3, 10, 12, tzinfo=datetime.UTC)


@pytest.fixture(autouse=True)
def in_shanghai(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "in_utc"),
    [
        ("90m", "2026-03-10 10:30"),
        ("6h", "2026-03-10 06:00"),
        ("1.5 d", "2026-03-09 00:00"),
        ("2w", "2026-02-24 12:00"),
        ("2026-03-01", "2026-02-28 16:00"),
        ("2026-03-01 18:00", "2026-03-01 10:00"),
        ("2026-03-01T18:00+01:00", "2026-03-01 17:00"),
        ("2026-03-01 18:00:00.5 UTC", "2026-03-01 18:00:00.5"),
        ("2026-03-01 18:00Z", "2026-03-01 18:00"),
    ],
)
def test_what_can_be_typed(text, in_utc):
    assert moment(text, NOW) == datetime.datetime.fromisoformat(in_utc)


@pytest.mark.parametrize("text", ["", "yesterday", "3", "h", "2026-13-01", "99999999999w"])
def test_what_cannot_is_refused_with_what_can(text):
    with pytest.raises(ValueError, match=r"2026-03-01.*90m"):
        moment(text, NOW)
