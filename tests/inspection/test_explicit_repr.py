"""Representations that the user asks for."""

import threading

import pytest

from jupyter_ac.errors import Busy
from jupyter_ac.inspection.explicit_repr import MOST_RUNNING, REPR_CHARS, ReprRunner

LONG_S = 60


class Waits:
    """A value whose representation takes until it is let go."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        self.has_begun = threading.Event()

    def __repr__(self) -> str:
        self.has_begun.set()
        self.may_end.wait()
        return "done at last"


def test_a_short_one_is_given_whole() -> None:
    found = ReprRunner(LONG_S).represent([1])
    assert found == {"state": "done", "text": "[1]", "is_cut": False}


def test_a_long_one_is_cut() -> None:
    class Huge:
        def __repr__(self) -> str:
            return "x" * 100_000_000

    found = ReprRunner(LONG_S).represent(Huge())
    assert (len(found["text"]), found["is_cut"]) == (REPR_CHARS, True)


@pytest.mark.parametrize("error", [ValueError("secret"), SystemExit(), KeyboardInterrupt()])
def test_one_that_raises_is_told_without_its_message(error: BaseException) -> None:
    class Raises:
        def __repr__(self) -> str:
            raise error

    found = ReprRunner(LONG_S).represent(Raises())
    assert found["state"] == "failed"
    assert found["text"] == f"its __repr__ has raised {type(error).__name__}"


def test_one_that_is_no_text_has_failed() -> None:
    class Lies:
        __repr__ = vars(object)["__hash__"]

    assert ReprRunner(LONG_S).represent(Lies())["state"] == "failed"


def test_one_that_goes_on_is_left_and_said() -> None:
    value = Waits()
    found = ReprRunner(wait_s=0.01).represent(value)
    value.may_end.set()
    assert found["state"] == "running"
    assert "still running" in found["text"]


def test_there_is_a_limit_for_those_that_go_on() -> None:
    runner, values = ReprRunner(wait_s=0.01), [Waits() for _ in range(MOST_RUNNING)]
    for value in values:
        runner.represent(value)
    with pytest.raises(Busy, match="restart the kernel"):
        runner.represent(1)
    for value in values:
        value.may_end.set()
    for thread in threading.enumerate():
        if thread.name == "jupyter_ac-repr":
            thread.join(LONG_S)
    assert runner.represent(1)["state"] in {"done", "running"}
