"""What feedback says, in English and in Chinese."""

from autograder.model import Sentence, Verdict

WORDS = {
    "holds": Sentence("Holds", "成立"),
    "fails": Sentence("Does not hold", "不成立"),
    "excused": Sentence("Does not hold, and costs nothing here", "不成立，但此处不扣分"),
    "handout": Sentence("Read again in the handout: section", "请再读讲义中的一节："),
    "yours": Sentence("Your weights on the public example", "你的权重（公开示例）"),
    "right": Sentence("The right ones", "正确的权重"),
    "step": Sentence("Step", "步骤"),
    "points": Sentence("Points", "分数"),
    "outcome": Sentence("Hidden checks", "隐藏检查"),
}
OUTCOMES = {
    Verdict.passed: Sentence("all hold", "全部成立"),
    Verdict.failed: Sentence("some do not hold", "有些不成立"),
    Verdict.raised: Sentence("raised an error", "运行时报错"),
    Verdict.timed_out: Sentence("took too long", "运行超时"),
    Verdict.unwritten: Sentence("not written yet", "尚未编写"),
    Verdict.skipped: Sentence("not run", "没有运行"),
    Verdict.grader_fault: Sentence("waits for a person", "等待人工处理"),
}
NOTES = {
    Verdict.raised: Sentence("Your function raised an error here.", "你的函数在这里报错了。"),
    Verdict.timed_out: Sentence("Your function took too long here.", "你的函数在这里运行超时。"),
    Verdict.skipped: Sentence(
        "It was not tried, since an earlier call had not come back.",
        "由于之前的调用没有返回，这一项没有尝试。",
    ),
}
UNWRITTEN = Sentence("This step is not written yet.", "这一步尚未编写。")
OUR_FAULT = Sentence(
    "The checks of this step could not be run. The fault is ours and costs you nothing; a person will look.",
    "这一步的检查未能运行。这是评分程序的问题，不会扣你的分，会有人来处理。",
)
ONLY_SAFETY = Sentence(
    "What holds here holds for empty work too, so it counts only beside another check.",
    "这里成立的几项，空白的答案也能满足，所以只有在其他检查也成立时才计分。",
)
UNGRADED = Sentence(
    "This work could not be read, so it has no points yet.", "这份作业无法读取，所以暂时没有分数。"
)
BY_HAND = Sentence("graded by a person", "人工评分")
