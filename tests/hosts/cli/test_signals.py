"""What a signal does to a command."""

import asyncio
import os
import signal

import pytest

from jupyter_ac.hosts.cli.signals import STOPPING, ending_like_ctrl_c, until_signal

WAIT_S = 90


async def sent(number: int, cleaned: list[str]) -> int:
    """Send this process a signal, and wait to be stopped by it."""
    try:
        os.kill(os.getpid(), number)
        await asyncio.sleep(WAIT_S)
    finally:
        # A second one in the middle of this changes nothing.
        os.kill(os.getpid(), number)
        await asyncio.sleep(0.05)
        cleaned.append("cleaned")
    return 7


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0), (signal.SIGHUP, 0)]
)
async def test_it_stops_the_work_and_says_the_exit_code(number: int, code: int) -> None:
    before = {each: signal.getsignal(each) for each in STOPPING}
    cleaned: list[str] = []
    assert await until_signal(sent(number, cleaned)) == code
    assert cleaned == ["cleaned"]
    after = {each: signal.getsignal(each) for each in STOPPING}
    assert after[signal.SIGTERM] == before[signal.SIGTERM]


async def test_without_a_signal_the_works_own_code_counts() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 3

    assert await until_signal(work()) == 3


async def test_what_the_work_raises_is_raised() -> None:
    async def work() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await until_signal(work())


async def test_a_work_that_cancels_itself_is_no_signal() -> None:
    async def work() -> int:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await until_signal(work())


async def test_a_signal_that_is_ignored_stays_so() -> None:
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:

        async def work() -> int:
            os.kill(os.getpid(), signal.SIGHUP)
            await asyncio.sleep(0.05)
            return 4

        assert await until_signal(work()) == 4
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, old)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_what_ends_a_process_can_be_heard_as_an_interrupt(number: int) -> None:
    before = {each: signal.getsignal(each) for each in STOPPING}
    with pytest.raises(KeyboardInterrupt), ending_like_ctrl_c():
        signal.raise_signal(number)
    assert {each: signal.getsignal(each) for each in STOPPING} == before


def test_what_is_ignored_is_not_heard_as_one() -> None:
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ending_like_ctrl_c():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, old)
