"""Where errors of a panel's code end."""

import asyncio

import pytest

from jupyter_ac.panels.guard import Guarded


@pytest.mark.parametrize(
    "error", [ValueError(), SystemExit(), KeyboardInterrupt(), asyncio.CancelledError()]
)
def test_whatever_is_raised_is_passed_on(error: BaseException) -> None:
    caught: list[BaseException] = []
    with Guarded(caught.append):
        raise error
    assert caught == [error]


def test_what_a_task_must_end_with_passes_through() -> None:
    caught: list[BaseException] = []
    with (
        pytest.raises(asyncio.CancelledError),
        Guarded(caught.append, (asyncio.CancelledError,)),
    ):
        raise asyncio.CancelledError
    assert caught == []


def test_without_an_error_nothing_is_caught() -> None:
    caught: list[BaseException] = []
    with Guarded(caught.append):
        pass
    assert caught == []
