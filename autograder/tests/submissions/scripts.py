"""Right work handed in as a .py file: written so, or converted from the notebook."""

import json
import re

from autograder.tests.submissions import Work, sample


@sample(warns="GB18030", essay=False)
def saves_the_script_as_gbk(work: Work) -> None:
    """A script with Chinese comments in a Chinese Windows' own encoding."""
    source = work.script().replace("\ndef softmax", "\n# 注意力权重，沿键归一化\ndef softmax")
    work.put(f"{work.exercise.name}.py", re.sub(r"[^\x00-\x7f一-鿿，。]", "?", source).encode("gbk"))


@sample(essay=False)
def works_in_the_script(work: Work) -> None:
    """The .py file written, no notebook."""
    work.put(f"{work.exercise.name}.py", work.script())


@sample(softmax="raised", essay=False)
def works_in_the_script_with_a_syntax_error(work: Work) -> None:
    """One function of the file that Python cannot read: it costs that function alone."""
    broken = work.script().replace(
        work.solution("softmax"), "def softmax(scores, axis=-1):\n    return (scores\n"
    )
    work.put(
        f"{work.exercise.name}.py", broken + '\n\nif __name__ == "__main__":\n    print(softmax(np.eye(2)))\n'
    )


def _converted(work: Work, code_mark: str, text_mark: str, header: str, *, marked: bool) -> str:
    parts = [header]
    for cell in work.notebook()["cells"]:
        marks = cell["metadata"].get("nbgrader")
        options = f" nbgrader={json.dumps(marks)}" if marked and marks else ""
        if cell["cell_type"] == "code":
            lines = [f"# {line}" if re.match(r"[%!]", line) else line for line in cell["source"].split("\n")]
            parts.append(f"{code_mark}{options}\n" + "\n".join(lines))
        else:
            body = "\n".join(f"# {line}".rstrip() for line in cell["source"].split("\n"))
            parts.append(f"{text_mark}{options}\n{body}".lstrip("\n") if text_mark else body)
    return "\n\n".join(parts) + "\n"


JUPYTEXT = """\
# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: {}
# ---"""


@sample()
def converts_with_jupytext_percent(work: Work) -> None:
    """A jupytext percent script, with nbgrader's marks in its options."""
    body = _converted(work, "# %%", "# %% [markdown]", JUPYTEXT.format("percent"), marked=True)
    work.put(f"{work.exercise.name}.py", body)


@sample(warns="by hand")
def converts_with_jupytext_light(work: Work) -> None:
    """A jupytext light script: text in comments, cells between `# +` and `# -`."""
    body = _converted(work, "# +", "", JUPYTEXT.format("light"), marked=False).replace(
        "\n\n# +", "\n\n# -\n\n# +"
    )
    work.put(f"{work.exercise.name}.py", body)


@sample(warns="by hand")
def exports_with_nbconvert(work: Work) -> None:
    """A .py exported from the notebook: `# In[ ]:` marks, magics as get_ipython() calls."""
    body = _converted(work, "# In[7]:\n\n", "", "#!/usr/bin/env python\n# coding: utf-8", marked=False)
    magic = (
        "get_ipython().run_line_magic('matplotlib', 'inline')\nget_ipython().system('pip install numpy')\n"
    )
    work.put(
        f"{work.exercise.name}.py", body.replace("# In[7]:\n", f"# In[1]:\n\n\n{magic}\n\n# In[7]:\n", 1)
    )


@sample(warns="plain Python", essay=False)
def names_a_script_as_a_notebook(work: Work) -> None:
    """Python code in a file that ends in .ipynb."""
    work.put(f"{work.exercise.name}.ipynb", work.script() + f"\n# {work.exercise.name}\n")


@sample(warns="holds a notebook")
def names_a_notebook_as_a_script(work: Work) -> None:
    """A notebook's JSON in a file that ends in .py."""
    work.write(work.notebook(), f"{work.exercise.name}.py")
