"""Where errors of a panel's code end."""

import asyncio

import pytest

from jupyter_ac.panels.guard import Guarded


@pytest.mark.parametrize("error", [ValueError(), SystemExit(), RecursionError()])
def test_errors_are_passed_on(error: BaseException) -> None:
    caught: list[BaseException] = []
    with Guarded(caught.append):
        raise error
    assert caught == [error]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), asyncio.CancelledError()])
def test_cancellation_and_interrupts_pass_through(error: BaseException) -> None:
    caught: list[BaseException] = []
    with pytest.raises(type(error)), Guarded(caught.append):
        raise error
    assert caught == []
