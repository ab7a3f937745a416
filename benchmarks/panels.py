"""What a panel of 1,000 rows takes: its first render, and changes of it; time, bytes, mutations.

Each row is a component with a `li`, a text of 20 words and a function. Beside it the same panel in
ReactPy 1.1, where that is installed, and the whole tree, which no change may exceed.
"""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Final, Protocol, cast

from benchmarks.figure import Rival, at_most, missing, reported, within
from jupyter_ac.panels import PanelRuntime, PanelView, component, html, use_state
from jupyter_ac.panels.initialize_request import MOVE_BEFORE
from jupyter_ac.rpc.codec import encode, utf8_bytes

ROUNDS: Final = 9
ROWS: Final = 1_000
MOST_FIRST_MS: Final = 20
MOST_TEXT_MS: Final = 0.3
MOST_TEXT_BYTES: Final = 100
REACTPY: Final = "ReactPy"

Row = tuple[int, str]
Change = tuple[str, list[Row]]


def text(number: int, words: int = 20) -> str:
    """A text of some words."""
    return " ".join(f"word{number + at:04d}" for at in range(words))


FIRST: Final = [(number, text(number)) for number in range(ROWS)]


def changes() -> list[Change]:
    """What is done to the rows, each beginning from `FIRST`."""
    shuffled = list(FIRST)
    Random(1).shuffle(shuffled)
    return [
        ("append 10", FIRST + [(ROWS + at, text(at)) for at in range(10)]),
        ("remove 10", [row for row in FIRST if row[0] % 100]),
        ("all texts", [(number, f"{shown}.") for number, shown in FIRST]),
        ("last to first", [FIRST[-1], *FIRST[:-1]]),
        ("reverse", FIRST[::-1]),
        ("shuffle", shuffled),
    ]


class Shown(Protocol):
    """A panel in one of the libraries; each step returns its time in ms and its bytes."""

    async def first(self) -> tuple[float, int]:
        """Render for the first time."""

    async def one_text(self, shown: str) -> tuple[float, int]:
        """Give one row another text."""

    async def change(self, rows: list[Row]) -> tuple[float, int]:
        """Give the panel other rows."""

    async def close(self) -> None:
        """End it."""


class Ours:
    """Our panel.

    Args:
        extensions: what the host knows beyond version 3.

    Attributes:
        mutations: in the last batch.
    """

    def __init__(self, *extensions: str) -> None:
        self.mutations = 0
        self._extensions = list(extensions)
        self._bytes = 0
        self._set_rows: Callable[[list[Row]], None]
        self._set_text: Callable[[str], None]

        @component
        def row(number: int, given: str) -> object:
            own, set_own = use_state("")
            if number == ROWS // 2:
                self._set_text = set_own
            return html.li({"on_click": lambda: set_own("clicked")}, own or given)

        @component
        def app() -> object:
            rows, set_rows = use_state(FIRST)
            self._set_rows = set_rows
            return html.ul([row(number, shown, key=number) for number, shown in rows])

        self._runtime = PanelRuntime(app)
        self._view = PanelView(self._runtime, self._send)

    def _send(self, _method: str, /, *args: object) -> None:
        self._bytes = utf8_bytes(encode(args[0]))
        self.mutations = len(args[0]) if isinstance(args[0], list) else 1

    async def first(self) -> tuple[float, int]:
        """Render for the first time."""
        gc.collect()
        began = time.perf_counter()
        await self._view.initialize({"protocolVersion": 3, "extensions": self._extensions})
        return (time.perf_counter() - began) * 1000, self._bytes

    async def one_text(self, shown: str) -> tuple[float, int]:
        """Give one row another text."""
        began = time.perf_counter()
        self._set_text(shown)
        self._runtime.flush()
        return (time.perf_counter() - began) * 1000, self._bytes

    async def change(self, rows: list[Row]) -> tuple[float, int]:
        """Give the panel other rows."""
        gc.collect()
        began = time.perf_counter()
        self._set_rows(rows)
        self._runtime.flush()
        return (time.perf_counter() - began) * 1000, self._bytes

    def whole_bytes(self) -> int:
        """The size of the mutation that replaces the whole tree by itself."""
        return utf8_bytes(encode([{"type": "setRoot", "node": self._runtime.tree()}]))

    async def close(self) -> None:
        """End it."""
        await self._view.destroy()


class _Layout(Protocol):
    async def __aenter__(self) -> object: ...

    async def __aexit__(self, *_: object) -> object: ...

    async def render(self) -> object: ...


class ReactPy:
    """The same in ReactPy, rendered by its `Layout` without a server."""

    def __init__(self) -> None:
        library = import_module("reactpy")
        tags, hooks = library.html, library.hooks
        self._set_rows: Callable[[list[Row]], None]
        self._set_text: Callable[[str], None]

        def row(number: int, given: str) -> object:
            own, set_own = hooks.use_state("")
            if number == ROWS // 2:
                self._set_text = set_own
            return tags.li({"on_click": lambda _event: set_own("clicked")}, own or given)

        rows_of = library.component(row)

        def app() -> object:
            rows, set_rows = hooks.use_state(FIRST)
            self._set_rows = set_rows
            return tags.ul([rows_of(number, shown, key=number) for number, shown in rows])

        layout = import_module("reactpy.core.layout").Layout(library.component(app)())
        self._layout = cast("_Layout", layout)

    async def _render(self, began: float) -> tuple[float, int]:
        update = await self._layout.render()
        size = utf8_bytes(encode(update))
        return (time.perf_counter() - began) * 1000, size

    async def first(self) -> tuple[float, int]:
        """Render for the first time."""
        gc.collect()
        began = time.perf_counter()
        await self._layout.__aenter__()
        return await self._render(began)

    async def one_text(self, shown: str) -> tuple[float, int]:
        """Give one row another text."""
        began = time.perf_counter()
        self._set_text(shown)
        return await self._render(began)

    async def change(self, rows: list[Row]) -> tuple[float, int]:
        """Give the panel other rows."""
        gc.collect()
        began = time.perf_counter()
        self._set_rows(rows)
        return await self._render(began)

    async def close(self) -> None:
        """End it."""
        await self._layout.__aexit__(None, None, None)


Step = Callable[[Shown], Awaitable[tuple[float, int]]]


async def measure(make: Callable[[], Shown], step: Step) -> tuple[float, int]:
    """Do a step in a panel of its own."""
    panel = make()
    if step is not first:
        await panel.first()
    try:
        return await step(panel)
    finally:
        await panel.close()


async def first(panel: Shown) -> tuple[float, int]:
    """Render for the first time."""
    return await panel.first()


async def one_text(panel: Shown) -> tuple[float, int]:
    """Give one row another text, after it has had one: the first time warms up."""
    await panel.one_text("another text of 20 words")
    return await panel.one_text("the text")


def step_to(rows: list[Row]) -> Step:
    """Give the panel other rows."""

    async def step(panel: Shown) -> tuple[float, int]:
        return await panel.change(rows)

    return step


async def beside(step: Step, *others: Callable[[], Shown]) -> list[list[tuple[float, int]]]:
    """Measure ours and others in alternation; the first round only warms up."""
    makes: list[Callable[[], Shown]] = [Ours, *others]
    rounds = [[await measure(make, step) for make in makes] for _ in range(ROUNDS + 1)][1:]
    return [list(column) for column in zip(*rounds, strict=True)]


def times(measured: Sequence[tuple[float, int]]) -> list[float]:
    """Of measurements."""
    return [each[0] for each in measured]


def sizes(measured: Sequence[tuple[float, int]]) -> list[float]:
    """Of measurements."""
    return [float(each[1]) for each in measured]


async def main() -> None:
    """Measure and print."""
    others: list[Callable[[], Shown]] = [ReactPy] if find_spec("reactpy") else []
    if not others:
        missing("panels in ReactPy", "ms", "not installed: pip install 'reactpy>=1.1'").emit()

    def rival(measured: list[list[tuple[float, int]]], kind: Callable[..., list[float]]) -> Rival:
        return (REACTPY, kind(measured[1])) if others else ("", ())

    found = await beside(first, *others)
    name = f"panel of {ROWS:,} rows"
    at_most(
        f"{name}, first render", times(found[0]), "ms", MOST_FIRST_MS, rival(found, times)
    ).emit()
    reported(f"{name}, first render", sizes(found[0]), "bytes", rival(found, sizes)).emit()
    found = await beside(one_text, *others)
    at_most(f"{name}, one text", times(found[0]), "ms", MOST_TEXT_MS, rival(found, times)).emit()
    at_most(
        f"{name}, one text", sizes(found[0]), "bytes", MOST_TEXT_BYTES, rival(found, sizes)
    ).emit()
    for what, rows in changes():
        found = await beside(step_to(rows), *others)
        reported(f"{name}, {what}", times(found[0]), "ms", rival(found, times)).emit()
        await weigh(f"{name}, {what}", rows)


async def weigh(name: str, rows: list[Row]) -> None:
    """Report the bytes and mutations of a change: they are the same in each round."""
    for panel, unit in ((Ours(), "bytes"), (Ours(MOVE_BEFORE), "bytes with moveBefore")):
        await panel.first()
        _, size = await panel.change(rows)
        whole = panel.whole_bytes()
        await panel.close()
        within(name, [size], unit, ("setRoot", [whole]), 1.0).emit()
        if unit == "bytes":
            reported(name, [panel.mutations], "mutations").emit()


if __name__ == "__main__":
    asyncio.run(main())
