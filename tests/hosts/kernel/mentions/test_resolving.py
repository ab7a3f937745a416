"""What a question mentions is found in the session, without running code of its values."""

from pathlib import Path

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.chat.context_items import MAX_ITEMS
from jupyter_ac.hosts.kernel.mentions.resolving import resolve
from jupyter_ac.hosts.kernel.mentions.syntax import find_mentions
from tests.hosts.kernel.test_last_error import run


def texts(shell: InteractiveShell, question: str) -> dict[str, str]:
    """Give the text of each item by its kind and name."""
    found = resolve(shell, find_mentions(question), Path.cwd())
    return {f"{item['kind']} {item['name']}": item["text"] for item in found.items}


def refusal(shell: InteractiveShell, question: str) -> str:
    with pytest.raises(UsageError) as refused:
        resolve(shell, find_mentions(question), Path.cwd())
    return str(refused.value)


def test_variables_cells_outputs_and_errors(shell: InteractiveShell) -> None:
    run(shell, "rate = [1, 2]", "rate * 2", "def f(n):\n    return n / 0\nf(7)", "late = 1\n")
    found = texts(shell, "@var:rate @cell @cell:2 @output:2 @error")
    assert found["variable rate"].startswith("rate: list, ")
    assert found["variable rate"].endswith("[1, 2]")
    assert found["cell In[4]"] == "late = 1"
    assert found["cell In[2]"] == "rate * 2"
    assert found["output Out[2]"].startswith("Out[2]: list, ")
    assert found["output Out[2]"].endswith("[1, 2, 1, 2]")
    assert "ZeroDivisionError: division by zero" in found["error error of In[3]"]
    assert "Local variables of f (In[3]):\n  n = 7" in found["error error of In[3]"]


def test_the_same_thing_goes_out_once(shell: InteractiveShell) -> None:
    run(shell, "1 + 1")
    assert list(texts(shell, "@cell @cell:1 @output @output:1")) == ["cell In[1]", "output Out[1]"]


def test_files_are_left_to_the_option(shell: InteractiveShell) -> None:
    found = resolve(shell, find_mentions("@file:a.py and @file:b.py"), Path.cwd())
    assert (found.items, found.files) == ((), ("a.py", "b.py"))


def test_no_code_of_a_value_runs(shell: InteractiveShell) -> None:
    run(
        shell,
        "ran = []\nclass Loud:\n    def __repr__(self):\n        ran.append(1)\n"
        "    __len__ = __str__ = __getattr__ = __repr__\nloud = Loud()",
    )
    before = list(shell.user_ns["ran"])
    found = texts(shell, "@var:loud")["variable loud"]
    assert found.startswith("loud: Loud, ")
    assert shell.user_ns["ran"] == before


def test_what_is_not_there_is_named_with_what_is_near(shell: InteractiveShell) -> None:
    assert "@cell: no cell has run" in refusal(shell, "@cell")
    assert "@output: no cell has run" in refusal(shell, "@output")
    assert "@error: the kernel has shown no error" in refusal(shell, "@error")
    run(shell, "frame = 1", "frame", "print('only printed')")
    assert "no variable 'fraem' in the kernel; did you mean frame." in refusal(shell, "@var:fraem")
    assert "no cell In[9] has run; there is @cell:2 and @cell:3." in refusal(shell, "@cell:9")
    said = refusal(shell, "Why @output?")
    assert "In[3] has no value" in said
    assert "not what a cell has printed; there is @output:2." in said


def test_what_makes_no_sense_is_said(shell: InteractiveShell) -> None:
    run(shell, "x = 1")
    assert "@cell takes the number of a run, as @cell:3" in refusal(shell, "@cell:first")
    assert "there is only the last error" in refusal(shell, "@error:3")
    for word in ("selection", "notebook"):
        assert f"@{word} works in the panel" in refusal(shell, f"this @{word}")
    many = " ".join(f"@var:x{number}" for number in range(MAX_ITEMS + 1))
    assert f"at most {MAX_ITEMS}" in refusal(shell, many)
