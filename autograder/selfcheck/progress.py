"""progress(): the exercise as a row of steps, what is done and what is next."""

from __future__ import annotations

from collections.abc import Iterator

from . import memory, notebook
from .exercise import BrokenRelease, Exercise, load
from .memory import next_step, state_name
from .text import MARKS, STYLES, Line
from .words import Pair, padded


def progress(*, lang: str | None = None) -> None:
    """Shows the steps, as last checked."""
    try:
        exercise = load()
    except BrokenRelease as broken:
        notebook.show_line(broken.pair.say(lang or "en"))
        return
    language = notebook.language_here(exercise.language(lang))
    plain = "\n".join([exercise.title.say(language), *(line.text for line in step_lines(exercise, language))])
    if notebook.shows_html():
        from .panel import progress_panel

        notebook.display_html(progress_panel(exercise, language), plain)
    else:
        notebook.show_line(plain)


def step_lines(exercise: Exercise, language: str) -> Iterator[Line]:
    states = memory.recall(exercise)["steps"]
    width = max(len(step.name) for step in exercise.steps) + 2
    upcoming = next_step(exercise, states)
    for step in exercise.steps:
        state = states.get(step.name)
        points = Pair(f"{step.points:g} points", f"{step.points:g} 分").say(language)
        here = Pair("  ← next", "  ← 下一步").say(language) if step is upcoming else ""
        text = f"{padded(step.name, width)}{padded(points, 10)}{state_name(state).say(language)}{here}"
        yield Line(f"{MARKS.get(state, '○')} {text}", STYLES.get(state, "dim"))
