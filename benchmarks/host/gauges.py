"""Children that answer each line with a number: an idle loop's stall, bare litellm's rate."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.host.processes import module

if TYPE_CHECKING:
    from subprocess import Popen


class Gauge:
    """A process that measures when it is asked."""

    def __init__(self, process: "Popen[str]") -> None:
        self._process = process

    def read(self) -> float:
        """Ask, and wait for the number."""
        question, answer = self._process.stdin, self._process.stdout
        if question is None or answer is None:
            raise RuntimeError("the process was started without pipes")
        question.write("\n")
        question.flush()
        return float(answer.readline())


@contextmanager
def gauge(name: str, *arguments: str) -> Iterator[Gauge]:
    """Run a module that answers lines, until the block ends."""
    with module(name, *arguments) as (process, _):
        yield Gauge(process)


@contextmanager
def idle_loop() -> Iterator[Gauge]:
    """Run a loop that does nothing; gives its longest stall since the last question, in ms."""
    with gauge("benchmarks.host.pulse") as idle:
        yield idle
