"""Why there is nothing to grade, or a file was not taken, in both languages. Each names the cure."""

from collections.abc import Iterable

from autograder.intake.mends import listed, shown
from autograder.model import Sentence


def nothing_there(exercise: str) -> Sentence:
    return Sentence(
        f"Nothing was submitted. Expected: {exercise}.ipynb or {exercise}.py.",
        f"没有提交。应有 {exercise}.ipynb 或 {exercise}.py。",
    )


def no_such_file(name: str) -> Sentence:
    return Sentence(
        f"There is no file {shown(name)} at this path. Check the path, or name the student's folder.",
        f"该路径下没有文件 {shown(name)}。请检查路径，或给出学生的文件夹。",
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


def conflict(line: int) -> Sentence:
    return Sentence(
        f"this holds two versions with Git's conflict marks, at line {line}. "
        "Keep one of them, open it in Jupyter and hand it in again.",
        f"文件在第 {line} 行有 Git 的冲突标记，含两个版本。保留一个版本，在 Jupyter 中打开确认，再重新提交。",
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


def not_opened(problems: Iterable[tuple[str, Sentence]]) -> list[Sentence]:
    return [unreadable(name, why) for name, why in list(problems)[:8]]
