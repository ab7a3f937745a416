import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.suites import report_lines
from jupyter_ac.agent.suites.board import OutcomeBoard
from jupyter_ac.agent.suites.report_lines import (
    FOLDER,
    MAX_SAID_CHARS,
    PLUGIN,
    ReportReader,
    report_variables,
)

MARK = "f00 "


def line(kind: str, **values: object) -> str:
    return f"\n{MARK}{json.dumps({'kind': kind, **values})}\n"


def reading(*, will_run: bool = True) -> tuple[OutcomeBoard, ReportReader]:
    board = OutcomeBoard()
    return board, ReportReader(MARK, board, are_all=True, will_run=will_run)


def rows(board: OutcomeBoard) -> list[tuple[str, str]]:
    found = sorted(board.news("", 0)["tests"], key=lambda row: row["at"])
    return [(row["id"], row["outcome"]) for row in found]


@given(st.integers(1, 40))
def test_a_report_is_read_in_pieces_of_any_size(size: int) -> None:
    board, reader = reading()
    text = (
        "hello\n"
        + line("tests", ids=["a::x", "a::y"])
        + line("collected")
        + line("running", id="a::x")
        + "."
        + line("result", id="a::x", outcome="failed", ms=3, text="\x1b[31mwhy\x1b[0m")
        + line("end", code=1)
        + "1 failed"
    )
    for at in range(0, len(text), size):
        reader.take(text[at : at + size])
    reader.end()
    assert rows(board) == [("a::x", "failed"), ("a::y", "waiting")]
    assert board.output("a::x") == "why"
    assert reader.exit_code == 1
    assert reader.said.split() == ["hello", "1", "failed"]
    assert board.output("") == reader.said


def test_files_that_cannot_be_collected_come_before_the_tests() -> None:
    board, reader = reading(will_run=False)
    reader.take(line("result", id="b.py", outcome="error", ms=0, text="no"))
    assert rows(board) == []
    reader.take(line("tests", ids=["a::x"]) + line("collected"))
    assert rows(board) == [("b.py", "error"), ("a::x", "")]
    assert reader.broken == 1


def test_they_are_shown_also_if_pytest_gives_up() -> None:
    board, reader = reading()
    reader.take(line("result", id="b.py", outcome="error", ms=0, text="no"))
    reader.end()
    assert rows(board) == [("b.py", "error")]


@pytest.mark.parametrize(
    "written",
    ["no json", "[]", '{"kind": "result"}', '{"kind": "tests", "ids": [1, null]}', '{"kind": 7}'],
)
def test_what_is_no_report_does_no_harm(written: str) -> None:
    board, reader = reading()
    reader.take(f"{MARK}{written}\n{line('internal', text='pytest broke')}")
    reader.end()
    assert "pytest broke" in reader.said
    assert all(outcome == "error" for _, outcome in rows(board))


def test_what_pytest_says_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_lines, "MAX_LINE_CHARS", 1000)
    _, reader = reading()
    reader.take("x" * 5000)
    reader.take("\nlast line\n" + "y\n" * MAX_SAID_CHARS)
    reader.end()
    assert len(reader.said) <= MAX_SAID_CHARS
    assert "xxx" not in reader.said


def test_more_tests_than_are_kept_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_lines, "MAX_TESTS", 2)
    board, reader = reading()
    reader.take(line("tests", ids=["a", "b", "c"]) + line("tests", ids=["d"]) + line("collected"))
    assert [name for name, _ in rows(board)] == ["a", "b"]
    assert board.news("", 0)["left_out"] == 2


def test_the_variables_name_a_plugin_that_is_there() -> None:
    variables = report_variables(MARK)
    assert variables["PYTHONPATH"] == str(FOLDER)
    assert (FOLDER / f"{PLUGIN}.py").is_file()
    assert variables["PYTEST_PLUGINS"] == PLUGIN
    assert MARK in variables.values()
