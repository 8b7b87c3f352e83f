"""Public laws: facts that hold of any right implementation, tried on random inputs, with no hidden answer.

A law calls the student's function a few times and compares its own results with one another.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import (
    faults,
    laws_of_gradients,
    laws_of_heads,
    laws_of_masks,
    laws_of_scores,
    laws_of_weights,
    laws_of_whole,
    laws_of_why,
)
from .exercise import Step
from .guard import SECONDS, TimeUp, limited
from .lawbook import Law
from .report import Finding

LAWS = {
    **laws_of_gradients.LAWS,
    **laws_of_heads.LAWS,
    **laws_of_masks.LAWS,
    **laws_of_scores.LAWS,
    **laws_of_weights.LAWS,
    **laws_of_whole.LAWS,
    **laws_of_why.LAWS,
}


@dataclass
class _Progress:
    """How far the laws have come when one of them is stopped."""

    findings: list
    law: Law | None = None


def try_laws(function, step: Step, *, seconds: float = SECONDS, stuck=None) -> tuple[Finding, ...]:
    """The laws of a step in order, up to the first that is broken; none for a step without laws."""
    progress = _Progress([])
    try:
        limited(lambda: _try_all(function, LAWS.get(step.name, ()), progress), seconds, stuck=stuck)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the student's code raises, SystemExit and TimeUp too
        fact = progress.law.fact
        if faults.is_ours(error) and not isinstance(error, TimeUp):
            broken = Finding(False, fact=fact, fault=(fact,))
        else:
            told = faults.explain(error, step)
            broken = Finding(False, fact=fact, fault=told.sentences, code=told.code)
        progress.findings.append(broken)
    return tuple(progress.findings)


def _try_all(function: Callable, laws: tuple[Law, ...], progress: _Progress) -> None:
    silent = contextlib.redirect_stdout(io.StringIO())
    with silent, np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for law in laws:
            progress.law = law
            holds = law.holds(function)
            progress.findings.append(Finding(bool(holds), fact=law.fact, fault=() if holds else (law.fact,)))
            if not holds:
                return
