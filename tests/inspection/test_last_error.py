"""Reports of errors."""

import linecache
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import pytest

from jupyter_ac.inspection.last_error import (
    MESSAGE_CHARS,
    MOST_FRAMES,
    MOST_LOCALS,
    error_message,
    report_error,
    shown_error,
)
from tests.inspection.hostile import hostile_values, nothing_may_run, noting_members

HostileError = type(
    "HostileError",
    (Exception,),
    noting_members("__getattribute__", "__reduce_ex__", "__subclasshook__"),
)
CELL = "/tmp/ipykernel_1/1.py"
CELL_LINES = "def outer():\n    mine = 5\n    helper.fails(mine)\nouter()\n"
HELPER_LINES = "def fails(number):\n    import json\n    json.loads('{')\n"


def raised(function: Callable[..., object], *args: object) -> Exception:
    with pytest.raises((ValueError, ArithmeticError, HostileError)) as caught:
        function(*args)
    return caught.value


@pytest.fixture
def cell_error(tmp_path: Path) -> BaseException:
    """The error of a cell that calls a file of the repository that calls a library."""
    file = tmp_path / "src" / "helper.py"
    file.parent.mkdir()
    file.write_text(HELPER_LINES)
    helper = type(sys)("helper")
    exec(compile(HELPER_LINES, str(file), "exec"), helper.__dict__)
    linecache.cache[CELL] = (1, None, CELL_LINES.splitlines(keepends=True), CELL)
    namespace = {"helper": helper}
    return raised(FunctionType(compile(CELL_LINES, CELL, "exec"), namespace))


def test_the_users_own_frames_come_first(cell_error: BaseException, tmp_path: Path) -> None:
    found = report_error(cell_error, tmp_path, {CELL: 4})
    frames = [(row["kind"], row["file"], row["cell"], row["line"]) for row in found["frames"]]
    assert frames[:3] == [
        ("repository", "src/helper.py", None, 3),
        ("cell", "", 4, 3),
        ("cell", "", 4, 4),
    ]
    assert {kind for kind, *_ in frames[3:]} == {"library"}
    assert found["type"] == "json.decoder.JSONDecodeError"
    assert found["message"].startswith("Expecting property name")
    assert frames[3][1] == "decoder.py"


def test_own_frames_have_source_and_locals(cell_error: BaseException, tmp_path: Path) -> None:
    frames = report_error(cell_error, tmp_path)["frames"]
    assert "→ 3     json.loads('{')" in frames[0]["source"]
    assert "→ 3     helper.fails(mine)" in frames[1]["source"]
    assert frames[0]["locals"] == [
        {"name": "number", "type": "int", "line": "5"},
        {"name": "json", "type": "module", "line": "<module json>"},
    ]
    assert frames[1]["locals"] == [{"name": "mine", "type": "int", "line": "5"}]
    assert frames[2]["locals"] == []
    assert [(row["source"], row["locals"]) for row in frames[3:]] == [("", [])] * len(frames[3:])


def test_without_a_repository_files_are_a_librarys(cell_error: BaseException) -> None:
    kinds = [row["kind"] for row in report_error(cell_error, None)["frames"]]
    assert kinds[:2] == ["cell", "cell"]
    assert set(kinds[2:]) == {"library"}


def test_nothing_of_the_error_and_of_locals_runs(tmp_path: Path) -> None:
    values = dict(hostile_values())

    def fails() -> None:
        for value in values.values():
            held = value
        raise HostileError(held, "text")

    code = fails.__code__.replace(co_filename=str(tmp_path / "mine.py"))
    error = raised(FunctionType(code, globals(), closure=fails.__closure__))
    assert type(error) is HostileError
    with nothing_may_run():
        found = report_error(error, tmp_path)
    assert found["type"].endswith("HostileError")
    assert "text" in found["message"]
    (frame,) = found["frames"]
    assert {row["name"] for row in frame["locals"]} == {"value", "held", "values"}


def test_frames_locals_and_messages_are_bounded(tmp_path: Path) -> None:
    def deeper(depth: int) -> None:
        if depth:
            deeper(depth - 1)
        many = {f"v{at}": at for at in range(50)}
        exec("raise ValueError('x' * 100000)", {}, many)

    code = deeper.__code__.replace(co_filename=str(tmp_path / "mine.py"))
    function = FunctionType(code, globals(), closure=deeper.__closure__)
    deeper = function
    found = report_error(raised(function, 50), tmp_path)
    assert len(found["frames"]) == MOST_FRAMES
    assert found["frames_left_out"] > 20
    assert len(found["message"]) == MESSAGE_CHARS
    assert all(len(row["locals"]) <= MOST_LOCALS for row in found["frames"])


def test_a_syntax_error_is_told_with_its_place_and_without_its_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("x = 1\ny = 2 +* 3\n")
    with pytest.raises(SyntaxError) as caught:
        compile(file.read_text(), str(file), "exec")
    found = report_error(caught.value, tmp_path)
    assert (found["type"], found["message"]) == ("SyntaxError", "invalid syntax")
    assert (found["frames"][0]["file"], found["frames"][0]["line"]) == ("mine.py", 2)
    assert "→ 2 y = 2 +* 3" in found["frames"][0]["source"]


@pytest.mark.parametrize(
    "args", [(), ("x", (5, 1, 1, "t")), ("x", ("f.py", "a", 1, "t")), ("x", ("f.py", 1, 1, b"t"))]
)
def test_a_syntax_error_may_have_any_details(args: tuple[object, ...]) -> None:
    error = SyntaxError(*args)
    assert report_error(error, None)["message"] == ("x" if args else "")
    vars(SyntaxError)["msg"].__set__(error, 7)
    assert report_error(error, None)["message"] == ""


def test_an_error_of_the_system_names_its_file() -> None:
    error = OSError(2, "No such file", "a.csv")
    assert error_message(error) == "[Errno 2] No such file: 'a.csv'"
    assert error_message(OSError("plain")) == "plain"


def test_causes_are_told_in_a_line() -> None:
    def fails() -> None:
        raise ValueError("outer", 7) from KeyError("inner")

    found = report_error(raised(fails), None)
    assert found["message"] == "'outer', 7"
    assert found["causes"] == ["KeyError: inner"]


def test_errors_that_cause_each_other_end() -> None:
    first, second = ValueError("1"), ValueError("2")
    first.__context__, second.__context__ = second, first
    assert report_error(first, None)["causes"] == ["ValueError: 2", "ValueError: 1"]


def test_notes_that_are_texts() -> None:
    error = ValueError()
    error.add_note("first")
    notes: list[object] = vars(error)["__notes__"]
    notes.append(7)
    assert report_error(error, None)["notes"] == ["first"]
    assert error_message(error) == ""


def test_the_last_error_is_that_of_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "last_exc", None, raising=False)
    monkeypatch.setattr(sys, "last_value", None, raising=False)
    assert shown_error() is None
    error = ValueError()
    monkeypatch.setattr(sys, "last_value", error)
    assert shown_error() is error
    monkeypatch.setattr(sys, "last_value", "no error")
    assert shown_error() is None
    hostile = HostileError()
    monkeypatch.setattr(sys, "last_value", hostile)
    with nothing_may_run():
        found = shown_error()
    assert found is hostile


def test_a_file_that_is_gone_has_no_source(tmp_path: Path) -> None:
    code = compile("1 / 0", str(tmp_path / "gone.py"), "exec")
    (frame,) = report_error(raised(FunctionType(code, {})), tmp_path)["frames"]
    assert (frame["file"], frame["source"]) == ("gone.py", "")
