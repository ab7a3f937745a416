"""The last error of a shell, as text for a question."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.cell_questions import Interrupted
from jupyter_ac.hosts.kernel.last_error import (
    MAX_ERROR_BYTES,
    QuestionedCell,
    forget_error,
    last_error,
    last_failed_cell,
    previous_cell,
    without_ansi,
)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    for name in ("last_type", "last_value", "last_traceback"):
        monkeypatch.delattr(sys, name, raising=False)
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


@pytest.fixture
def terse(shell: InteractiveShell) -> InteractiveShell:
    """A shell whose own tracebacks are short: IPython takes seconds to draw hundreds of frames."""
    shell.InteractiveTB.set_mode("Minimal")
    return shell


def run(shell: InteractiveShell, *cells: str) -> None:
    for cell in cells:
        shell.run_cell(cell, store_history=True)


def failed(shell: InteractiveShell, root: Path = Path("/nowhere")) -> QuestionedCell:
    found = last_failed_cell(shell, root)
    assert found is not None
    return found


def test_the_cell_that_failed_is_found_however_many_ran_since(shell: InteractiveShell) -> None:
    assert last_failed_cell(shell, Path("/nowhere")) is None
    run(shell, "def f(x):\n    return 1 / x", "%time f(0)\n", "print('later')")
    cell = failed(shell)
    assert (cell.source, cell.number) == ("%time f(0)", 2)
    assert "cell [1], line 2, in f\n    return 1 / x" in cell.error
    assert cell.error.endswith("ZeroDivisionError: division by zero")


def test_frames_of_the_repository_come_before_those_of_libraries(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_module_of_test.py").write_text(
        "import json\ndef read(text):\n    return json.loads(text)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    run(shell, "import own_module_of_test\nown_module_of_test.read('{')")
    error = failed(shell, tmp_path).error
    own, _, libraries = error.partition("Frames of libraries:")
    assert "own_module_of_test.py, line 3, in read\n    return json.loads(text)" in own
    assert "decoder.py, line" in libraries
    assert str(tmp_path) not in error
    assert sys.prefix not in error
    assert "JSONDecodeError: Expecting property name" in error


def test_a_syntax_error_names_its_line(shell: InteractiveShell) -> None:
    run(shell, "x = 1\ny = 2 +* 3\n")
    cell = failed(shell)
    assert cell.source == "x = 1\ny = 2 +* 3"
    assert "cell [1], line 2" in cell.error
    assert "y = 2 +* 3\nSyntaxError: invalid syntax" in cell.error
    assert "IPython" not in cell.error
    assert "/tmp" not in cell.error


def test_a_cause_is_named(shell: InteractiveShell) -> None:
    run(
        shell,
        "try:\n    {}['key']\nexcept KeyError as error:\n    raise ValueError('no') from error",
    )
    assert failed(shell).error.endswith("ValueError: no\nRaised while handling KeyError: key")


def test_errors_of_ours_are_none(shell: InteractiveShell) -> None:
    run(shell, "%matplotlib_or_so nothing")
    assert last_failed_cell(shell, Path("/nowhere")) is None


def test_an_error_that_was_noted_outlasts_a_magic_s_refusal(shell: InteractiveShell) -> None:
    run(shell, "1 / 0")
    noted = last_error(shell)
    run(shell, "%matplotlib_or_so nothing")
    assert last_error(shell) is noted
    assert failed(shell).source == "1 / 0"
    run(shell, "undefined_name")
    assert isinstance(last_error(shell), NameError)
    run(shell, "%matplotlib_or_so nothing")
    forget_error(shell)
    assert last_error(shell) is None


def test_a_noted_error_doesn_t_stand_for_one_that_was_shown_since(shell: InteractiveShell) -> None:
    run(shell, "1 / 0")
    assert isinstance(last_error(shell), ZeroDivisionError)
    run(shell, "undefined_name", "%timeit -zz 1")
    assert last_error(shell) is None


@pytest.mark.parametrize("how", ["one_line", "with_frames"])
def test_an_interrupt_of_a_question_is_no_error_of_the_user(
    shell: InteractiveShell, how: str
) -> None:
    def stop(line: str, cell: str) -> None:
        assert (line, cell) == ("", "What is it?\n")
        raise Interrupted if how == "one_line" else KeyboardInterrupt

    shell.magics_manager.register_function(stop, "cell", "ac")
    run(shell, "1 / 0")
    noted = last_error(shell)
    run(shell, "%%ac\nWhat is it?")
    assert not isinstance(sys.last_value, ZeroDivisionError)
    assert last_error(shell) is noted
    assert failed(shell).source == "1 / 0"


def test_an_error_below_a_line_of_ours_is_the_user_s(shell: InteractiveShell) -> None:
    run(shell, "%load_ext jupyter_ac\n1 / 0")
    assert failed(shell).source == "%load_ext jupyter_ac\n1 / 0"
    run(shell, "%unload_ext jupyter_ac")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("raise SyntaxError", "SyntaxError"),
        ("error = ValueError('x')\nerror.add_note('a hint')\nraise error", "ValueError: x\na hint"),
    ],
)
def test_an_error_may_have_any_details(shell: InteractiveShell, cell: str, said: str) -> None:
    run(shell, cell)
    assert failed(shell).source == cell
    assert failed(shell).error.endswith(f"\n{said}")


@pytest.mark.parametrize(
    "members",
    [
        "__str__ = __repr__ = lambda self: ran.append(self) or 'said'",
        "__class__ = property(lambda self: ran.append(self) or SyntaxError)",
    ],
)
def test_nothing_of_the_error_s_class_runs(shell: InteractiveShell, members: str) -> None:
    run(
        shell,
        "ran = []\nclass Meta(type):\n    __name__ = property(lambda cls: ran.append(cls) or 'M')",
        f"class Loud(Exception, metaclass=Meta):\n    {members}\nraise Loud('text')",
    )
    shell.user_ns["ran"].clear()  # IPython's own traceback has asked
    error = failed(shell).error
    assert shell.user_ns["ran"] == []
    assert error.endswith("Loud: text")


@pytest.mark.parametrize(
    "cell",
    [
        "def f(n):\n    return f(n + 1)\nf(0)",
        "raise ValueError('é' * 1_000_000)",
        "class Bad(Exception):\n    def __str__(self):\n        raise RuntimeError\nraise Bad",
        "raise ValueError('\\x1b[31mred\\x1b[0m \\x1b]0;title\\x07 \\x9b2J')",
    ],
)
def test_the_text_is_bounded_and_has_no_commands(terse: InteractiveShell, cell: str) -> None:
    run(terse, cell)
    error = failed(terse).error
    assert len(error.encode()) <= MAX_ERROR_BYTES
    assert not set("\x1b\x07\x9b") & set(error)
    assert "cell [1]" in error
    assert "[31m" not in error.splitlines()[-1]


def test_of_many_frames_the_innermost_are_kept(terse: InteractiveShell) -> None:
    run(terse, "def deep(n):\n    if n == 0:\n        1 / 0\n    deep(n - 1)\ndeep(300)")
    error = failed(terse).error
    assert "more frames left out)" in error
    assert "line 3, in deep\n    1 / 0" in error


def test_the_cell_before_is_the_last_one_that_is_none_of_our_magics(
    shell: InteractiveShell,
) -> None:
    assert previous_cell(shell) is None
    run(shell, "x = 1\n", "%load_ext jupyter_ac", "", "%ac_status nothing")
    assert previous_cell(shell) == QuestionedCell("x = 1", 1)
    run(shell, "%accept = 1")
    assert previous_cell(shell) == QuestionedCell("%accept = 1", 4)


@given(st.text(alphabet="\x1b[]0;31mKx\x07\\ ", max_size=80))
def test_no_escape_sequence_is_left(text: str) -> None:
    assert "\x1b" not in without_ansi(text)
    assert without_ansi(without_ansi(text)) == without_ansi(text)


def test_text_around_sequences_stays() -> None:
    assert without_ansi("\x1b[0;31mZeroDivisionError\x1b[0m: a\n\tb") == "ZeroDivisionError: a\n\tb"
