"""Whether the function that is checked is the one that the student sees in the notebook."""

from __future__ import annotations

from .words import Pair


def notes(function, name: str, namespace: dict) -> tuple[Pair, ...]:
    """What a student should know about the definition before believing the result."""
    current = namespace.get(name)
    if callable(function) and current is not None and current is not function:
        return (
            Pair(
                f"This is an older {name}: the name now means another function. Check it by name: "
                f'check("{name}").',
                f'这是旧的 {name}：这个名字现在指向另一个函数。请按名字检查：check("{name}")。',
            ),
        )
    return ()
