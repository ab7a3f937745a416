"""Errors as hosts show them."""

from pathlib import Path

import pytest

from jupyter_ac.errors import NotFound
from jupyter_ac.panels import component, html
from jupyter_ac.panels.tracebacks import MAX_FRAMES, MAX_MESSAGE_CHARS, error_report
from tests.panels.shown import shown


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("bad"), "ValueError: bad"),
        (ValueError(), "ValueError"),
        (NotFound("There is none."), "There is none."),
        (Mute(), "Mute: its text can't be read"),
        (ValueError("x" * 9_000), "ValueError: " + "x" * (MAX_MESSAGE_CHARS - 12)),
    ],
)
def test_an_error_has_a_short_message(error: Exception, message: str) -> None:
    assert error_report(error) == {"message": message}


def fail() -> object:
    raise ValueError("here")


async def test_the_stack_shows_the_panels_code_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    app = component(lambda: html.p(fail()))
    async with shown(app) as one:
        lines = one.host.stacks[0].splitlines()
    assert [line.split(", in ")[1] for line in lines[::2]] == ["<lambda>", "fail"]
    assert lines[-2].startswith("  tests/panels/test_tracebacks.py:")
    assert lines[-1].strip() == 'raise ValueError("here")'


async def test_files_elsewhere_are_named_without_their_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    async with shown(component(fail)) as one:
        assert one.host.stacks[0].startswith("  test_tracebacks.py:")


def test_a_long_stack_is_cut() -> None:
    def down(left: int) -> None:
        if not left:
            raise ValueError("at the bottom")
        down(left - 1)

    try:
        down(100)
    except ValueError as error:
        stack = error_report(error)["stack"]
    assert len(stack.splitlines()) <= 2 * MAX_FRAMES
    assert stack.endswith('raise ValueError("at the bottom")')
