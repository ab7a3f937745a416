"""The comparison with ctags counts what the index finds, and names what it lacks."""

import shutil
from pathlib import Path

import pytest

from tools.definition_recall import Definition, compare, last_part, main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to compare; whoever asks for it runs ctags, which no one else needs."""
    if not shutil.which("ctags"):
        pytest.skip("needs universal-ctags")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/a.py").write_text("class A:\n    def b(self): pass\n", encoding="utf-8")
    (tmp_path / "c.py").write_text("if x:\n  while y:\n    deep = 1\n", encoding="utf-8")
    (tmp_path / "other.rb").write_text("class NotCompared; end\n", encoding="utf-8")
    return tmp_path


def test_a_definition_counts_by_its_name_and_line(folder: Path) -> None:
    result = compare(folder, "python", with_locals=True)
    assert {(each.path, each.line, each.name) for each in result.expected} == {
        ("inner/a.py", 1, "A"),
        ("inner/a.py", 2, "b"),
        ("c.py", 3, "deep"),
    }
    assert result.missed == (Definition("c.py", 3, "deep", "variable"),)
    assert result.recall == pytest.approx(2 / 3)


def test_kinds_that_are_left_out_are_not_expected(folder: Path) -> None:
    result = compare(folder, "python", leave_out=("variable",), with_locals=True)
    assert not result.missed
    assert len(result.expected) == 2


LOCALS = """\
def f():
    def inner(): pass
if x:
    in_a_block = 1
top = 1
top = 2
"""


def test_locals_and_further_assignments_are_not_expected(folder: Path) -> None:
    (folder / "c.py").write_text(LOCALS, encoding="utf-8")
    result = compare(folder, "python", leave_out=("class", "member"))
    assert [(each.line, each.name) for each in result.expected] == [(1, "f"), (5, "top")]
    every = compare(folder, "python", leave_out=("class", "member"), with_locals=True)
    lines = [(each.line, each.name) for each in every.expected]
    assert lines == [(1, "f"), (2, "inner"), (4, "in_a_block"), (5, "top")]


def test_anonymous_functions_are_not_expected(folder: Path) -> None:
    (folder / "a.kt").write_text("val f = { 1 }\n", encoding="utf-8")
    assert [each.name for each in compare(folder, "kotlin").expected] == ["f"]


def test_a_dot_is_a_letter_where_the_language_says_so(folder: Path) -> None:
    (folder / "a.R").write_text("a.b <- 1\nc.b <- function(x) x\n", encoding="utf-8")
    result = compare(folder, "r")
    assert [each.name for each in result.expected] == ["a.b", "c.b"]


def test_a_file_that_is_not_read_completely_is_named(folder: Path) -> None:
    (folder / "broken.py").write_text("def f(:\n", encoding="utf-8")
    assert [note.partition(":")[0] for note in compare(folder, "python").notes] == ["broken.py"]


def test_recall_and_misses_are_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["python", str(folder), "--locals"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "recall 66.67%: 2 of 3 definitions"
    assert lines[-1] == "miss  c.py:3 variable deep"


@pytest.mark.parametrize(
    ("name", "last"), [("M.a.f", "f"), ("M:g", "g"), ("A::b", "b"), ("f", "f"), ("..", "..")]
)
def test_the_last_part_of_a_name_counts(name: str, last: str) -> None:
    assert last_part(name) == last


def test_a_name_with_dots_is_whole() -> None:
    assert last_part("M.a.f", dotted=True) == "M.a.f"
    assert last_part("p::a.f", dotted=True) == "a.f"
