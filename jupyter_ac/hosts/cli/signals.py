"""Signal handlers of the commands: a signal starts an orderly shutdown."""

import asyncio
import signal
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from jupyter_ac.hosts.cli import exit_codes

STOPPING: Final[Mapping[int, int]] = {
    signal.SIGINT: exit_codes.INTERRUPTED,
    signal.SIGTERM: exit_codes.DONE,
    signal.SIGHUP: exit_codes.DONE,
}
"""Signal → exit code of a host, which runs until it is stopped."""

INTERRUPTING: Final[Mapping[int, int]] = dict.fromkeys(STOPPING, exit_codes.INTERRUPTED)
"""Signal → exit code of a command that must run to its end."""


async def until_signal(
    work: Coroutine[object, object, int], stopping: Mapping[int, int] = STOPPING
) -> int:
    """Do the work and return its exit code, or that of the signal that cancelled it.

    Args:
        work: cleans up after itself when it is cancelled; further signals wait for that.
        stopping: signals and the exit codes that they mean.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    codes: list[int] = []

    def stop(code: int) -> None:
        if not codes:
            task.cancel()
        codes.append(code)

    # Under `nohup` the end of the terminal must be ignored.
    heard = {each: code for each, code in stopping.items() if not _is_ignored(each)}
    for number, code in heard.items():
        loop.add_signal_handler(number, stop, code)
    try:
        done = await task
    except asyncio.CancelledError:
        if not codes:
            raise
        return codes[0]
    finally:
        for number in heard:
            loop.remove_signal_handler(number)
    return codes[0] if codes else done


@contextmanager
def ending_like_ctrl_c() -> Iterator[None]:
    """Turn termination signals into KeyboardInterrupt in the body; only in the main thread."""
    heard = [each for each in (signal.SIGTERM, signal.SIGHUP) if not _is_ignored(each)]
    before = [signal.signal(number, signal.default_int_handler) for number in heard]
    try:
        yield
    finally:
        for number, handler in zip(heard, before, strict=True):
            signal.signal(number, handler)


def _is_ignored(number: int) -> bool:
    return signal.getsignal(number) == signal.SIG_IGN
