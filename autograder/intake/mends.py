"""What intake mended, in both languages; and how names are shown."""

import unicodedata
from collections.abc import Iterable

from autograder.model import Sentence

LONGEST = 80  # characters of a file's name
MOST = 8  # names in one sentence


def shown(name: str) -> str:
    """A file's name as a sentence may have it: printable and short."""
    text = printable(name)
    return text if len(text) <= LONGEST else text[: LONGEST // 2] + "…" + text[-LONGEST // 2 :]


def printable(name: str) -> str:
    """A name in one line, with nothing that turns or hides text."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(
        c if c == " " or unicodedata.category(c)[0] not in "CZ" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def listed(names: Iterable[str], mark: str = ", ") -> str:
    """Names for a sentence, at most a few of them."""
    every = [shown(name) for name in names]
    rest = [f"… (+{len(every) - MOST})"] if len(every) > MOST else []
    return mark.join(every[:MOST] + rest)


def say(en: str, zh: str, *names: str) -> Sentence:
    """A sentence in which {} stands for the names."""
    return Sentence(en.format(listed(names)), zh.format(listed(names, "、")))


# What was mended


def taken_from(name: str, exercise: str) -> Sentence:
    return Sentence(
        f"Taken from {shown(name)}; the expected name is {exercise}.ipynb or {exercise}.py.",
        f"取自 {shown(name)}；应有的文件名是 {exercise}.ipynb 或 {exercise}.py。",
    )


def script_counts(name: str) -> Sentence:
    return Sentence(
        f"{shown(name)} counts: the notebook's functions were not written.",
        f"以 {shown(name)} 为准：笔记本里的函数没有写。",
    )


def both_written(notebook: str, script: str) -> Sentence:
    return Sentence(
        f"Both {shown(notebook)} and {shown(script)} were written; the notebook counts.",
        f"{shown(notebook)} 和 {shown(script)} 都写了；以笔记本为准。",
    )


def answers_from(name: str) -> Sentence:
    return Sentence(f"The written answers are from {shown(name)}.", f"文字回答取自 {shown(name)}。")


def left_alone(names: Iterable[str]) -> Sentence:
    return say("Also here, and not graded: {}.", "另有文件未评分：{}。", *names)


def decoded(encoding: str) -> Sentence:
    return Sentence(
        f"The file is not plain UTF-8; it was read as {encoding}.",
        f"文件不是普通的 UTF-8；已按 {encoding} 读取。",
    )


def odd_cells(count: int) -> Sentence:
    return Sentence(f"{count} damaged cells were left out.", f"略去 {count} 个损坏的单元格。")


def old_format() -> Sentence:
    return Sentence("The notebook is of an old format (3).", "笔记本是旧格式（3）。")


def no_metadata() -> Sentence:
    return Sentence(
        "The notebook has lost nbgrader's marks; functions were found by their names.",
        "笔记本丢失了 nbgrader 标记；函数按名字找到。",
    )


def deleted(ids: Iterable[str]) -> Sentence:
    return say("Deleted cells were put back: {}.", "已恢复被删除的单元格：{}。", *ids)


def duplicated(ids: Iterable[str]) -> Sentence:
    return say("There is more than one cell {}.", "单元格 {} 不止一个。", *ids)


def changed_marks(ids: Iterable[str]) -> Sentence:
    return say(
        "Changed type, points or marks of these cells do not count: {}.",
        "以下单元格的类型、分值或标记有改动，改动不算：{}。",
        *ids,
    )


def code_in_check(ids: Iterable[str]) -> Sentence:
    return say(
        "Code written into the check cell was run too: {}.", "写在检查单元格里的代码也运行了：{}。", *ids
    )


def retyped(ids: Iterable[str]) -> Sentence:
    return say(
        "These cells were no longer code and were read as code: {}.",
        "以下单元格不再是代码，已按代码读取：{}。",
        *ids,
    )


def elsewhere(steps: Iterable[str]) -> Sentence:
    return say("Not in their own cells, found by name: {}.", "不在自己的单元格里，按名字找到：{}。", *steps)


def redefined(steps: Iterable[str]) -> Sentence:
    return say(
        "Defined more than once; the last one counts: {}.", "定义了不止一次，以最后一次为准：{}。", *steps
    )


def given_again(names: Iterable[str]) -> Sentence:
    return say(
        "Code that was handed out and is missing was run first: {}.", "缺少下发的代码，已先运行：{}。", *names
    )


def answer_found(questions: Iterable[str]) -> Sentence:
    return say(
        "Look at the answer by hand, it was pieced together from text outside its cell: {}.",
        "请人工查看回答，其中有单元格之外的文字：{}。",
        *questions,
    )


def picture_dropped() -> Sentence:
    return Sentence("A pasted picture was left out of the answer.", "回答中粘贴的一张图片未收入。")


def read_as_script() -> Sentence:
    return Sentence(
        "The notebook file holds plain Python and was read so.",
        "笔记本文件里是普通 Python 代码，已按此读取。",
    )


def read_as_notebook() -> Sentence:
    return Sentence("The .py file holds a notebook and was read so.", "这个 .py 文件里是笔记本，已按此读取。")
