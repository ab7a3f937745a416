#!/usr/bin/env python3
"""Counts the functions that a question enters between `chat_streaming` and its request.

A real turn is run, the second one of a conversation, with a file that has changed since the first;
the model behind it is scripted. Two figures come out of it:

- **stops of the way**: the coroutine functions in the tasks that the request waits for, and the
  functions that start these tasks. A port (history, files, maps, token counts, the model's gateway)
  is one stop; what is behind it isn't followed. Functions of a stage's own file aren't counted.
- **stops of `assemble`**: all functions that it enters, its own file included.

Comprehensions, lambdas and constructors are no stops.

    python -m tools.turn_stops
"""

import asyncio
import inspect
import sys
import tempfile
import threading
from collections.abc import Coroutine, Generator
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Final, TypeAlias, TypeVar, cast

from tests.chat.memory import open_world
from tests.services.llm.pages import keeping

ROOT: Final = Path(__file__).parents[1]

CHAT: Final = "jupyter_ac/chat/"
STAGES: Final = tuple(
    f"{CHAT}turn/{name}.py"
    for name in ("admit", "gather", "assemble", "fit", "stream", "edit", "act", "record")
)
PORTS: Final = (
    *(f"{CHAT}{name}" for name in ("history/", "files.py", "model_gateway.py", "prompt/counts.py")),
    "tests/chat/memory.py",
)
FOLLOWED: Final = ("jupyter_ac/services/llm/", CHAT, "tests/chat/memory.py")
LINES: Final = 40

Stop: TypeAlias = tuple[str, str]

_T = TypeVar("_T")


@dataclass
class Walk:
    """What a question has entered.

    Attributes:
        way: the stops, in order.
        assemble: those of `assemble`.
        is_over: the request has left.
    """

    way: list[Stop] = field(default_factory=list)
    assemble: list[Stop] = field(default_factory=list)
    is_over: bool = False


class Tracer:
    """Follows one question through a host in this process."""

    def __init__(self) -> None:
        self.walk = Walk()
        self._is_inside = ContextVar("is_inside", default=False)
        self._entered: dict[asyncio.Task[object] | None, dict[Stop, None]] = {}
        self._starts: dict[asyncio.Task[object] | None, list[Stop]] = {}

    def follow(self, frame: FrameType, event: str, _arg: object) -> None:
        """Note a call; for `sys.setprofile`."""
        if event != "call" or self.walk.is_over:
            return
        stop = _stop_of(frame.f_code)
        if stop is None:
            return
        if frame.f_code.co_name == "chat_streaming":
            self._is_inside.set(True)
        if not self._is_inside.get():
            return
        above = _above(frame)
        if any(name == "assemble" and path in STAGES for path, name in (stop, *above)):
            self.walk.assemble += [stop] if stop not in self.walk.assemble else []
            return
        is_coroutine = bool(frame.f_code.co_flags & (_COROUTINE | _GENERATOR))
        is_behind = any(path.startswith(PORTS) for path, _ in above)
        if is_coroutine and not is_behind and stop[0] not in STAGES:
            self._entered.setdefault(_task(), {}).setdefault(stop)
        if stop == (f"{CHAT}model_gateway.py", "ModelGateway.complete"):
            self._finish()

    def make_task(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Coroutine[object, object, _T] | Generator["asyncio.Future[object] | None", None, _T],
    ) -> "asyncio.Task[_T]":
        """Note who starts a task; a task factory."""
        task = asyncio.Task(work, loop=loop)
        if self._is_inside.get():
            frame = inspect.currentframe()
            starters = [stop for stop in _above(frame) if stop[0] not in STAGES]
            self._starts[cast("asyncio.Task[object]", task)] = starters
        return task

    def _finish(self) -> None:
        """Keep what the request has waited for; other tasks run beside it."""
        self.walk.is_over = True
        found: dict[Stop, None] = {}
        for task, stops in self._entered.items():
            is_done = task is not None and task.done() and not task.cancelled()
            if is_done or task is _task():
                found |= dict.fromkeys((*self._starts.get(task, ()), *stops))
        self.walk.way = [stop for stop in found if stop[0].startswith(FOLLOWED)]


_COROUTINE: Final = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_GENERATOR: Final = inspect.CO_ITERABLE_COROUTINE


def _task() -> "asyncio.Task[object] | None":
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None  # in a thread


def _stop_of(code: CodeType) -> Stop | None:
    """Name a function of ours; None for all others."""
    path = code.co_filename.removeprefix(f"{ROOT}/")
    if path == code.co_filename or not path.startswith(FOLLOWED):
        return None
    if code.co_name.startswith(("<", "__")):
        return None
    return path, code.co_qualname


def _above(frame: FrameType | None) -> list[Stop]:
    """Name the functions of ours that have called this one."""
    found: list[Stop] = []
    frame = frame.f_back if frame is not None else None
    while frame is not None:
        stop = _stop_of(frame.f_code)
        if stop is not None:
            found.append(stop)
        frame = frame.f_back
    return found


async def count_stops() -> Walk:
    """Run two turns and follow the second."""
    text = "".join(f"line {number}\n" for number in range(LINES))
    world = open_world({"a.py": text, "b.py": text})
    tracer = Tracer()
    with tempfile.TemporaryDirectory() as folder:
        async with keeping(world, Path(folder)) as service:
            page = await service.page()
            await page.call("set_selected_files", ["a.py"])
            await page.say("1-a", "One?")
            world.files.texts["a.py"] = text.replace("line 7", "row 7")
            await page.call("set_selected_files", ["a.py", "b.py"])
            asyncio.get_running_loop().set_task_factory(tracer.make_task)
            threading.setprofile(tracer.follow)
            sys.setprofile(tracer.follow)
            try:
                await page.say("2-a", "Two?")
            finally:
                sys.setprofile(None)
                threading.setprofile(None)
    return tracer.walk


def main() -> None:
    """Print both lists."""
    walk = asyncio.run(count_stops())
    for title, stops in (("way", walk.way), ("assemble", walk.assemble)):
        rows = [f"{title}: {len(stops)} stops", *(f"  {path}  {name}" for path, name in stops)]
        sys.stdout.write("\n".join((*rows, "")))


if __name__ == "__main__":
    main()
