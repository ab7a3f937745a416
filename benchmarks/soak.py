"""A minute of 200 clients on one stand-alone server: memory, the loop's stalls, what is lost.

    python -m benchmarks soak
    python -m benchmarks.soak --seconds 20 --clients 50

All call, and all hear what the others tick; one after another asks the model, and one after another
is cut off and comes back.
"""

import argparse
import asyncio
import itertools
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figure import at_most, reported
from benchmarks.host.gauges import idle_loop
from benchmarks.host.heartbeat import Stall
from benchmarks.host.jupyter import KEY
from benchmarks.host.processes import module
from benchmarks.host.projects import make_project, name_of
from benchmarks.host.provider import provider
from jupyter_ac.errors import ConnectionClosed, RemoteError
from jupyter_ac.jrpc_oo import JRPCClient

CLIENTS: Final = 200
SECONDS: Final = 60.0
FILES: Final = 60
MODEL: Final = "openai/scripted-markdown"
CALL_EVERY_S: Final = 2.0
TICK_EVERY_S: Final = 0.25
LEAVE_EVERY_S: Final = 1.0
ASK_EVERY_S: Final = 5.0
AGAIN_S: Final = 0.5
LIMIT_S: Final = 30.0
GROWTH_MB: Final = 10.0
STALL_MS: Final = 50.0


class ServerState(Stall):
    """What `benchmarks.host.standalone` answers."""

    tasks: int


class AcApp:
    """What a page listens to."""

    def __init__(self) -> None:
        self.heard = 0
        self.answers = 0
        self.files: object = None

    async def filesChanged(self, files: object) -> bool:  # noqa: N802 - its name on the wire
        """Somebody ticked."""
        self.heard += 1
        self.files = files
        return True

    async def streamChunk(self, *_: object) -> bool:  # noqa: N802 - its name on the wire
        """More of an answer."""
        self.heard += 1
        return True

    async def streamComplete(self, *_: object) -> bool:  # noqa: N802 - its name on the wire
        """The end of an answer."""
        self.answers += 1
        return True

    async def userMessage(self, *_: object) -> bool:  # noqa: N802 - its name on the wire
        """Somebody asked."""
        self.heard += 1
        return True

    async def sessionChanged(self, *_: object) -> bool:  # noqa: N802 - its name on the wire
        """Somebody has been answered."""
        self.heard += 1
        return True


@dataclass
class Report:
    """What came of it.

    Attributes:
        megabytes: the server's memory, at the start, and then as often as it was looked at.
        stalls: the worst of the server's loop, one for each look.
        beside: the same of an idle loop.
        tasks: on the server's loop: before anybody came, with all there, after all had left.
        calls: how many were answered.
        heard: how many events came.
        asked: how many questions were put, each of them answered in full.
        returns: how many clients were cut off and came back.
        errors: what went wrong.
    """

    megabytes: list[float] = field(default_factory=list)
    stalls: list[Stall] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    tasks: list[int] = field(default_factory=list)
    calls: int = 0
    heard: int = 0
    asked: int = 0
    returns: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def growth(self) -> float:
        """By how much the memory has grown since the first third, when all had been in use."""
        settled = self.megabytes[len(self.megabytes) // 3]
        return self.megabytes[-1] - settled


class Server:
    """The process under test."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self._process = process
        self.url = url

    async def state(self) -> ServerState:
        """Ask for the stalls since the last question, and the number of tasks."""
        return await asyncio.to_thread(self._ask)

    def megabytes(self) -> float:
        """Its memory now."""
        told = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self._process.pid)],
            capture_output=True,
            text=True,
            check=True,
        )
        return int(told.stdout) / 1024

    def _ask(self) -> ServerState:
        question, answer = self._process.stdin, self._process.stdout
        if question is None or answer is None:
            raise RuntimeError("the process was started without pipes")
        question.write("\n")
        question.flush()
        found: ServerState = json.loads(answer.readline())
        return found


class Crowd:
    """The clients."""

    def __init__(self, url: str, count: int, report: Report) -> None:
        self.pages = [AcApp() for _ in range(count)]
        self.clients = [JRPCClient(url) for _ in range(count)]
        for client, page in zip(self.clients, self.pages, strict=True):
            client.add_class(page)
        self._report = report
        self._connections: dict[JRPCClient, asyncio.Task[None]] = {}
        self._ids = itertools.count()

    async def arrive(self) -> None:
        """Connect all of them."""
        await asyncio.gather(*map(self.join, self.clients))

    async def join(self, client: JRPCClient) -> None:
        """Connect one, and wait until it can be used."""
        self._connections[client] = asyncio.create_task(client.connect())
        await _until(lambda: "LLMService.get_selected_files" in client.server)

    async def leave(self) -> None:
        """Disconnect all of them."""
        await asyncio.gather(*(client.disconnect() for client in self.clients))
        await asyncio.gather(*self._connections.values(), return_exceptions=True)

    async def call(self, number: int) -> None:
        """Let one client call again and again, not all in the same moment."""
        await asyncio.sleep(CALL_EVERY_S * number / len(self.clients))
        while True:
            await self._attempt(number, "LLMService.get_selected_files")
            await self._attempt(number, "LLMService.get_current_state")
            await asyncio.sleep(CALL_EVERY_S)

    async def tick(self) -> None:
        """Let one after another tick a file."""
        for number in itertools.cycle(range(len(self.clients))):
            await self._attempt(number, "LLMService.set_selected_files", [name_of(number % FILES)])
            await asyncio.sleep(TICK_EVERY_S)

    async def keep_asking(self) -> None:
        """Let one after another ask."""
        for number in itertools.cycle(range(0, len(self.clients), 7)):
            await self.ask(number)
            await asyncio.sleep(ASK_EVERY_S)

    async def ask(self, number: int) -> None:
        """Let one ask, and wait for the end of its answer."""
        page = self.pages[number]
        answers = page.answers
        asked = f"{int(time.time() * 1000)}-{next(self._ids):06d}"
        if await self._attempt(number, "LLMService.chat_streaming", asked, "What is this?"):
            await _until(lambda: page.answers > answers)
            self._report.asked += 1

    async def come_and_go(self) -> None:
        """Cut one client after another off, and let it come back."""
        for number in itertools.cycle(range(1, len(self.clients), 7)):
            await asyncio.sleep(LEAVE_EVERY_S)
            client = self.clients[number]
            await client.disconnect()
            await self._connections[client]
            await self.join(client)
            self._report.returns += 1

    async def agree(self) -> None:
        """See that the last tick reaches everybody."""
        last = [name_of(FILES - 1), name_of(0)]
        await self._attempt(0, "LLMService.set_selected_files", last)
        await _until(lambda: all(page.files == last for page in self.pages))
        self._report.heard = sum(page.heard for page in self.pages)

    async def _attempt(self, number: int, method: str, *args: object) -> bool:
        while True:
            try:
                await self.clients[number].server[method](*args)
            except ConnectionClosed:
                return False  # it is one of those that come and go
            except RemoteError as error:
                if error.remote_type != "busy":
                    raise
                # The machine can't keep up; as asked to, it is tried again.
                await asyncio.sleep(AGAIN_S)
            else:
                self._report.calls += 1
                return True


async def soak(server: Server, seconds: float, clients: int, *, asks: bool = True) -> Report:
    """Load a server for a while.

    Args:
        server: on which nobody is yet.
        seconds: how long.
        clients: how many.
        asks: whether they ask the model, which has to start for it.
    """
    report = Report()
    with idle_loop() as idle:
        report.tasks.append((await server.state())["tasks"])
        crowd = Crowd(server.url, clients, report)
        await crowd.arrive()
        if asks:
            await crowd.ask(0)  # now litellm has loaded
        await server.state()
        idle.read()
        async with _busy(crowd, report, asks=asks):
            report.tasks.append((await server.state())["tasks"])
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                report.megabytes.append(server.megabytes())
                await asyncio.sleep(min(seconds / 12, 5.0))
                report.stalls.append(await server.state())
                report.beside.append(await asyncio.to_thread(idle.read))
        await crowd.agree()
        report.megabytes.append(server.megabytes())
        await crowd.leave()
        report.tasks.append(await _settled(server, report.tasks[0]))
    return report


@asynccontextmanager
async def _busy(crowd: Crowd, report: Report, *, asks: bool) -> AsyncIterator[None]:
    work = [crowd.call(number) for number in range(len(crowd.clients))]
    work += [crowd.tick(), crowd.come_and_go(), *([crowd.keep_asking()] if asks else [])]
    tasks = [asyncio.create_task(each) for each in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        report.errors += [repr(each) for each in outcomes if isinstance(each, Exception)]


async def _settled(server: Server, expected: int) -> int:
    """Give the number of tasks, when it has come down to what it was or does not any more."""
    end = time.monotonic() + LIMIT_S
    while True:
        tasks = (await server.state())["tasks"]
        if tasks <= expected or time.monotonic() > end:
            return tasks
        await asyncio.sleep(0.1)


async def _until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + LIMIT_S
    while True:
        if condition():
            return
        if time.monotonic() > end:
            raise TimeoutError(f"{condition} does not come true within {LIMIT_S:g} s")
        await asyncio.sleep(0.02)


@contextmanager
def serving() -> Iterator[Server]:
    """Run a stand-alone server on a small repository, with the scripted model."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="jupyter-ac-soak-")))
        make_project(folder / "garden", FILES)
        model = stack.enter_context(provider(folder))
        config = folder / "config"
        config.mkdir()
        settings = {"model": MODEL, "api_base": model.api_base, "env": {"OPENAI_API_KEY": KEY}}
        (config / "llm.json").write_text(json.dumps(settings), encoding="utf-8")
        places = {
            "JUPYTER_NO_CONFIG": "1",
            "JUPYTER_AC_CONFIG_DIR": str(config),
            "JUPYTER_AC_CACHE_DIR": str(folder / "cache"),
        }
        name = "benchmarks.host.standalone"
        process, url = stack.enter_context(module(name, str(folder / "garden"), env=places))
        yield Server(process, url)


def figures(report: Report, clients: int, seconds: float) -> None:
    """Print what came of it."""
    where = f"{clients} clients, {seconds:g} s"
    middle = report.megabytes[len(report.megabytes) // 2]
    at_most(f"memory grown, {where}", [report.growth], "MB", GROWTH_MB).emit()
    for word, value in (
        ("at the start", report.megabytes[0]),
        ("in the middle", middle),
        ("at the end", report.megabytes[-1]),
    ):
        reported(f"memory {word}, {where}", [value], "MB").emit()
    longest = max(stall["longest_ms"] for stall in report.stalls)
    busiest = max(stall["busiest_ms"] for stall in report.stalls)
    beside = ("an idle loop beside it", [max(report.beside)])
    at_most(f"longest stall, {where}", [longest], "ms", STALL_MS, beside).emit()
    reported(f"most work within 5 ms, {where}", [busiest], "ms").emit()
    for word, count in (
        ("calls answered", report.calls),
        ("events heard", report.heard),
        ("questions answered", report.asked),
        ("clients cut off and back", report.returns),
        ("tasks left over", report.tasks[-1] - report.tasks[0]),
    ):
        reported(f"{word}, {where}", [count], "").emit()
    at_most(f"errors, {where}", [len(report.errors)], "", 0).emit()


def main() -> None:
    """Run it and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    options = parser.parse_args()
    with serving() as server:
        report = asyncio.run(soak(server, options.seconds, options.clients))
    print(*report.errors, sep="\n", file=sys.stderr)
    figures(report, options.clients, options.seconds)


if __name__ == "__main__":
    main()
