"""What intake says: why a submission could not be taken, and what it mended, in both languages."""

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


# Why there is nothing to grade


def nothing_there(exercise: str) -> Sentence:
    return Sentence(
        f"Nothing was submitted. Expected: {exercise}.ipynb or {exercise}.py.",
        f"没有提交。应有 {exercise}.ipynb 或 {exercise}.py。",
    )


def no_such_name(exercise: str, names: Iterable[str]) -> Sentence:
    names = list(names)
    return Sentence(
        f"No file here can be taken for {exercise}: {listed(names)}. "
        f"Rename the right one to {exercise}.ipynb (or {exercise}.py) and grade again.",
        f"这里没有能当作 {exercise} 的文件：{listed(names, '、')}。"
        f"把正确的文件改名为 {exercise}.ipynb（或 {exercise}.py），再评分。",
    )


def several(exercise: str, names: Iterable[str]) -> Sentence:
    names = list(names)
    return Sentence(
        f"Several files could be the submission: {listed(names)}. "
        f"Keep the right one, named {exercise}.ipynb (or {exercise}.py), and grade again.",
        f"有几个文件都可能是提交：{listed(names, '、')}。"
        f"只留正确的一个，命名为 {exercise}.ipynb（或 {exercise}.py），再评分。",
    )


def no_cells() -> Sentence:
    return Sentence("The file holds no cells.", "文件里没有任何单元格。")


def nothing_written() -> Sentence:
    return Sentence(
        "Nothing was written: everything is as it was handed out.", "什么也没写：全部与下发时相同。"
    )


def unreadable(name: str, why: Sentence) -> Sentence:
    return Sentence(f"{shown(name)}: {why.en}", f"{shown(name)}：{why.zh}")


SAVE_AGAIN = Sentence(
    "Open it in Jupyter, save it and hand it in again.", "在 Jupyter 中打开并保存，再重新提交。"
)


def is_a(kind_en: str, kind_zh: str) -> Sentence:
    return Sentence(
        f"this is {kind_en}, not a notebook. Hand in the notebook itself.",
        f"这是{kind_zh}，不是笔记本。请提交笔记本文件本身。",
    )


def broken_json(line: int) -> Sentence:
    return Sentence(
        f"this is not a notebook: its JSON breaks off or is damaged at line {line}. {SAVE_AGAIN.en}",
        f"这不是笔记本：JSON 在第 {line} 行中断或损坏。{SAVE_AGAIN.zh}",
    )


def not_a_notebook() -> Sentence:
    return Sentence(
        f"this is JSON, but not a notebook: it has no list of cells. {SAVE_AGAIN.en}",
        f"这是 JSON，但不是笔记本：没有单元格列表。{SAVE_AGAIN.zh}",
    )


def too_large(what: Sentence) -> Sentence:
    return Sentence(
        f"it is too large to be graded: {what.en}. Clear the outputs, save and hand in again.",
        f"太大，无法评分：{what.zh}。清除输出、保存后重新提交。",
    )


def megabytes(limit: int) -> Sentence:
    return Sentence(f"more than {limit >> 20} MB", f"超过 {limit >> 20} MB")


def more_than(limit: int, en: str, zh: str) -> Sentence:
    return Sentence(f"more than {limit} {en}", f"超过 {limit} {zh}")


def not_regular(en: str, zh: str) -> Sentence:
    return Sentence(
        f"this is {en} and was not opened. Hand in the file itself.", f"这是{zh}，没有打开。请提交文件本身。"
    )


def no_permission() -> Sentence:
    return Sentence(
        "the grader may not read it. Give it read permission and grade again.",
        "评分程序无权读取。加上读权限后再评分。",
    )


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


def not_opened(problems: Iterable[tuple[str, Sentence]]) -> list[Sentence]:
    return [unreadable(name, why) for name, why in list(problems)[:MOST]]


def left_alone(names: Iterable[str]) -> Sentence:
    return say("Also here, and not graded: {}.", "另有文件未评分：{}。", *names)


def decoded(encoding: str) -> Sentence:
    return Sentence(
        f"The file is not UTF-8; it was read as {encoding}.", f"文件不是 UTF-8；已按 {encoding} 读取。"
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
