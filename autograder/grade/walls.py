"""The walls as people read of them: what the machine gives, what is used, what each layer stops."""

from autograder.grade.client import DeskFault, WallsMissing, Zygote
from autograder.model import Sentence

# Each layer of `Zygote.walls["used"]`, the outermost first.
LAYERS = {
    "bubblewrap": Sentence(
        "no network and no other process is there; of the files, only Python, NumPy and shared libraries",
        "没有网络，看不到其他进程；文件只有 Python、NumPy 和共享库",
    ),
    "landlock": Sentence(
        "only Python's, NumPy's and shared libraries' files can be read; nothing can be written",
        "只能读取 Python、NumPy 和共享库的文件，不能写入任何文件",
    ),
    "seccomp": Sentence(
        "no process, program, socket or signal, and none of the kernel's rarer doors",
        "不能创建进程、运行程序、打开套接字或发送信号，也不能使用内核的其他少见接口",
    ),
    "strict seccomp": Sentence(
        "the same, and no file can be opened or looked for at all",
        "同上，并且完全不能打开或查找文件",
    ),
    "nobody": Sentence(
        "it runs as the user nobody, never as root", "以 nobody 用户身份运行，绝不以 root 运行"
    ),
    "rlimits": Sentence(
        "memory, CPU seconds, open files and file sizes are bounded",
        "限制内存、CPU 秒数、打开的文件数和文件大小",
    ),
}
CURE = Sentence(
    "Grade other people's work on Linux, or in a container: deploy/README.md says how.\n"
    "Your own work can be graded without walls: add --unsafe.",
    "请在 Linux 上或容器中批改他人的作业：做法见 deploy/README.md。\n"
    "自己的作业可以不加隔离地批改：加上 --unsafe。",
)

UNSAFE = Sentence(
    "Graded without walls (--unsafe): what the code did here, nothing has held back.",
    "本次评分没有隔离（--unsafe）：代码在这里做了什么，没有任何东西拦住它。",
)


def inspect(walls: str = "auto") -> dict:
    """What is in force with this setting, as plain data: mode, machine, root, used, missing, self_test.

    Raises WallsMissing where the machine gives no walls, and DeskFault where they do not hold.
    """
    with Zygote(walls=walls) as zygote:
        return zygote.walls


def report(walls: str = "auto", language: str = "en") -> str:
    """The same for people."""
    try:
        found = inspect(walls)
    except WallsMissing as missing:
        return f"{missing}\n{getattr(CURE, language)}"
    except DeskFault as fault:
        return str(fault)
    return "\n".join([*_machine(found, language), *_layers(found, language), *_tested(found, language)])


def _machine(found: dict, language: str) -> list[str]:
    machine = found["machine"]
    version = machine["landlock_abi"]
    kernel = ".".join(machine["kernel"].split(".")[:2])
    words = [f"Linux {kernel}", machine["architecture"], f"Python {machine['python']}"]
    words.append(
        f"Landlock {version}" if version else getattr(Sentence("no Landlock", "无 Landlock"), language)
    )
    title = Sentence("This machine: ", "本机：")
    return [getattr(title, language) + ", ".join(words)]


def _layers(found: dict, language: str) -> list[str]:
    title = Sentence(
        "Around each student's code, the outermost first:", "学生代码外面的各层隔离（由外到内）："
    )
    lines = [f"  {layer:<16}{getattr(LAYERS[layer], language)}" for layer in found["used"]]
    if found["mode"] == "none":
        lines.append(
            "  "
            + getattr(Sentence("NO WALLS: only for your own work", "没有隔离：只可用于自己的作业"), language)
        )
    word = Sentence("not used", "未使用")
    lines += [f"  {getattr(word, language)}: {reason}" for reason in found["missing"].values()]
    return [getattr(title, language), *lines]


def _tested(found: dict, language: str) -> list[str]:
    tried = found["self_test"]
    if not tried:
        return []
    said = Sentence(
        f"Self-test: {len(tried)} breaches tried from inside, none got through",
        f"自检：从内部尝试了 {len(tried)} 种突破，全部被挡住",
    )
    return [getattr(said, language), *(f"  {name.replace('_', ' ')}: {end}" for name, end in tried.items())]
