"""The recorded example fits the sample repository of the tour, and what it says is true."""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from jupyter_ac.chat.recorded.example import FileState, RecordedExample, example, state_of
from tools.demo import REPOSITORY, make_repository


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as the tour finds it."""
    folder = tmp_path_factory.mktemp("sample") / REPOSITORY
    make_repository(folder)
    return folder


@pytest.fixture
def sample(made: Path, tmp_path: Path) -> Path:
    """A copy of it that may be changed."""
    copy = tmp_path / REPOSITORY
    subprocess.run(["cp", "-r", made, copy], check=True)
    return copy


def blocks(found: RecordedExample) -> Iterator[tuple[str, EditBlock]]:
    for question in found.questions:
        for block in parse(question.answer, lambda _path: False):
            yield question.question_id, block


def apply(folder: Path, *names: str) -> dict[str, FileState]:
    """Make the edits of these questions; return the states of the files that they changed."""
    changed = {}
    for name, block in blocks(example()):
        if name not in names:
            continue
        path = folder / block.path
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        old, new = lines(block.old), lines(block.new)
        assert text.count(old) == 1 if old else not text, block.path
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace(old, new, 1) or new, encoding="utf-8")
        changed[block.path] = state_of(block.path, path.read_text(encoding="utf-8"))
    return changed


def lines(texts: Iterable[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False
    )


def test_it_is_about_the_sample_of_the_tour(made: Path) -> None:
    found = example()
    assert found.repository == REPOSITORY
    for state in found.recognised_by:
        assert state == state_of(state.path, (made / state.path).read_text(encoding="utf-8"))
    for path, text in found.originals.items():
        assert (made / path).read_text(encoding="utf-8") == text
    for question in found.questions:
        assert all((made / path).is_file() for path in question.files)
        assert found.question(question.question_id) is question
    assert found.question("other") is None


def test_no_answer_edits_what_the_sample_is_recognised_by() -> None:
    found = example()
    edited = {block.path for _, block in blocks(found)}
    assert edited == {*found.originals, *(state.path for state in found.created)}
    assert edited.isdisjoint(state.path for state in found.recognised_by)
    assert {block.kind for _, block in blocks(found)} == {BlockKind.EDIT}


def test_line_ends_do_not_matter() -> None:
    assert state_of("a", "1\r\n2\r\n") == state_of("a", "1\n2\n")


@pytest.mark.parametrize(
    ("names", "subject"),
    [
        (("say-so",), "Say so when there are no readings"),
        (("name-the-days",), "Name the day of each bar"),
        (
            ("say-so", "name-the-days"),
            "Say so when there are no readings, and name the days of the bars",
        ),
    ],
)
def test_each_commit_has_its_message(sample: Path, names: tuple[str, ...], subject: str) -> None:
    found, changed = example(), apply(sample, *names)
    message = found.commit_message(changed.values())
    assert message.partition("\n")[0] == subject
    assert max(map(len, message.split("\n"))) <= 72


def test_a_commit_may_take_what_the_sample_had_changed_before(sample: Path) -> None:
    found = example()
    before = state_of("docs/todo.md", found.originals["docs/todo.md"])
    changed = apply(sample, "say-so")
    message = found.commit_message([*changed.values(), before])
    assert message.startswith("Say so when there are no readings\n")
    assert message.endswith("docs/todo.md lists what is still to do.")


def test_no_message_is_made_up_for_anything_else(sample: Path) -> None:
    found, changed = example(), apply(sample, "say-so")
    other = state_of("weather/summary.py", "pass\n")
    assert found.commit_message([]) == ""
    assert found.commit_message([other]) == ""
    assert found.commit_message([*changed.values(), state_of("new.py", "")]) == ""
    assert found.commit_message([changed["tests/test_summary.py"]]) == ""


def test_what_the_answers_say_about_the_code_is_true(sample: Path) -> None:
    empty = sample / "data" / "empty.csv"
    empty.write_text("day,celsius,wind\n", encoding="utf-8")
    before = run(sample, "-m", "weather.summary", "data/empty.csv")
    assert before.stderr.endswith("ZeroDivisionError: division by zero\n")
    week = run(sample, "-m", "weather.summary", "data/readings.csv").stdout
    for name in ("hottest", "windiest"):
        failed = run(sample, "-c", f"from weather.summary import {name}; {name}([])")
        assert "ValueError: max()" in failed.stderr
    apply(sample, "say-so")
    assert run(sample, "-m", "weather.summary", "data/empty.csv").stdout == "no readings\n"
    assert run(sample, "-m", "weather.summary", "data/readings.csv").stdout == week
    tests = run(sample, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert "2 passed" in tests.stdout
