"""The one way in: from a student's folder, or any file, to a Submission. Neither runs nor parses code.

What is accepted and what is mended: docs/intake.md.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.intake import mends, reasons
from autograder.intake.draft import Draft, draft
from autograder.intake.expected import Expected, expect
from autograder.intake.folder import Folder, read_file, read_folder
from autograder.model import Exercise, Release, Sentence, Status, Submission


def take(path: Path, exercise: Exercise, release: Release, student: str = "") -> Submission:
    """A student's folder for the exercise, or one file of any name, as a Submission.

    Never raises, whatever the file or the folder holds: a fault of theirs is a status and a reason.
    """
    expected = expect(exercise, release)
    nothing = Submission(student, exercise.name, Status.missing, reason=reasons.nothing_there(exercise.name))
    is_folder = path.is_dir() and (student or not path.is_symlink())
    if is_folder or (student and path.parent.is_symlink()):  # which the opening then refuses
        folder = _theirs(read_folder(path, exercise.name, follow_parent=not student), exercise.files)
        found = _chosen([draft(file, expected) for file in folder.files], folder.others, expected, nothing)
        return replace(found, file=mends.printable(str(path / found.file)) if found.file else "")
    file = read_file(path)
    if file is None:
        return nothing if student else replace(nothing, reason=reasons.no_such_file(path.name))
    return replace(_submission(draft(file, expected), nothing), file=mends.printable(str(path)))


def _theirs(folder: Folder, released: Mapping[str, str]) -> Folder:
    """The folder without what was released beside the notebook, unless a student has written into it."""
    files = [
        file for file in folder.files if file.data.replace(b"\r\n", b"\n") != _bytes(released, file.name)
    ]
    return Folder(tuple(files), tuple(name for name in folder.others if name not in released))


def _bytes(released: Mapping[str, str], name: str) -> bytes | None:
    return released[name].encode() if name in released else None


def _chosen(
    drafts: Sequence[Draft], others: Sequence[str], expected: Expected, nothing: Submission
) -> Submission:
    """The submission of a folder: the likeliest file in which a step was written, else the likeliest."""
    everything, drafts = drafts, _distinct(drafts)
    written = [one for one in drafts if one.written]
    likely = [one for one in written if one.file.rank == written[0].file.rank]
    exact = [one for one in drafts if one.file.rank == 0]
    if likely and likely[0].file.rank > 0 and len(likely) > 1:
        return _misnamed(reasons.several(expected.exercise, _names(likely)), nothing, likely)
    if likely or exact:
        best = likely[0] if likely else exact[0]
        return _submission(_completed(best, everything, others, expected), nothing)
    known = [one for one in drafts if one.defines or one.reading.problem]
    if len(known) == 1:
        return _submission(_completed(known[0], everything, others, expected), nothing)
    if known:
        return _misnamed(reasons.several(expected.exercise, _names(known)), nothing, known)
    names = [*_names(drafts), *others]
    return _misnamed(reasons.no_such_name(expected.exercise, names), nothing, drafts) if names else nothing


def _misnamed(reason: Sentence, nothing: Submission, drafts: Iterable[Draft]) -> Submission:
    digest = hashlib.sha256(b"".join(one.file.data for one in drafts)).hexdigest()
    return replace(nothing, status=Status.misnamed, reason=reason, digest=digest)


def _names(drafts: Iterable[Draft]) -> list[str]:
    return [one.file.name for one in drafts]


def _distinct(drafts: Sequence[Draft]) -> list[Draft]:
    """Notebook before script, as likely as it is; of files with the same bytes the likeliest alone."""
    ordered = sorted(drafts, key=lambda one: (one.file.rank, one.reading.is_script, one.file.name))
    seen: dict[str, Draft] = {}
    for one in ordered:
        seen.setdefault(one.digest if one.file.data else one.file.name, one)
    return list(seen.values())


def _completed(best: Draft, drafts: Sequence[Draft], others: Sequence[str], expected: Expected) -> Draft:
    """The chosen file, with the notebook's answers where it has none, and what is to be said of the rest."""
    rest = [one for one in drafts if one is not best]
    twin = next((one for one in rest if one.file.rank == 0 and not one.reading.problem), None)
    notes = _why(best, twin, expected)
    if twin and twin.words.answers and (best.reading.is_script or not best.words.answers):
        notes.append(mends.answers_from(twin.file.name))
        both = replace(best.file, data=best.file.data + twin.file.data)
        best = replace(best, words=replace(twin.words, notes=()), file=both)
    notes += reasons.not_opened((one.file.name, one.reading.problem) for one in rest if one.reading.problem)
    alone = [one.file.name for one in rest if not one.reading.problem and one is not twin]
    if alone or others:
        notes.append(mends.left_alone([*alone, *others]))
    return replace(best, warnings=(*notes, *best.warnings))


def _why(best: Draft, twin: Draft | None, expected: Expected) -> list[Sentence]:
    """Why this file counts, where it is not plain."""
    if best.file.rank > 0:
        return [mends.taken_from(best.file.name, expected.exercise)]
    if best.reading.is_script and twin:
        return [mends.script_counts(best.file.name)]
    if best.written and twin and twin.written:
        return [mends.both_written(best.file.name, twin.file.name)]
    return []


def _submission(best: Draft, nothing: Submission) -> Submission:
    taken = replace(
        nothing,
        status=Status.graded,
        file=best.file.name,
        digest=best.digest,
        reason=None,
        cells=best.cells,
        answers=dict(best.words.answers),
        notes=best.words.notes,
        warnings=best.warnings,
    )
    if best.reading.problem:
        reason = reasons.unreadable(best.file.name, best.reading.problem)
        return replace(taken, status=Status.unreadable, reason=reason)
    if not best.touched and not best.words.answers and not best.words.notes:
        reason = reasons.nothing_written() if best.reading.cells else reasons.no_cells()
        return replace(taken, status=Status.empty, reason=reason)
    return taken
