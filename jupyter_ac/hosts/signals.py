"""What a signal does to a command that runs on an event loop: it stops the work in good order."""

import asyncio
import signal
from collections.abc import Coroutine, Mapping
from typing import Final

from jupyter_ac.hosts.cli import exits

STOPPING: Final[Mapping[int, int]] = {
    signal.SIGINT: exits.INTERRUPTED,
    signal.SIGTERM: exits.DONE,
    signal.SIGHUP: exits.DONE,
}
"""Signal → exit code."""


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

    # Under `nohup` the end of the terminal is not to be heard.
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


def _is_ignored(number: int) -> bool:
    return signal.getsignal(number) == signal.SIG_IGN
