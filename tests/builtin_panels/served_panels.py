"""Built-in panels shown by a host in memory, over made-up answers of the server."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from jupyter_ac.errors import AcError
from jupyter_ac.panels import PanelView, Plugin, Services
from jupyter_ac.panels.runtime import PanelRuntime
from tests.panels.memory_host import MemoryHost, text_of
from tests.panels.shown import Shown

WAIT_S = 90.0

Answer: TypeAlias = "object | Callable[..., object]"


@dataclass
class MadeUpServices:
    """Answers calls: a function is called, an error is raised, without an answer a call waits.

    Attributes:
        answers: by the names of methods.
        calls: names and arguments, in order.
    """

    answers: dict[str, Answer] = field(default_factory=dict)
    calls: list[tuple[str, tuple[object, ...]]] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, method: str, answer: Answer) -> None:
        """Set an answer; calls that wait for one get it."""
        self.answers[method] = answer
        self._changed.set()
        self._changed = asyncio.Event()

    async def call(self, method: str, /, *args: object) -> object:
        self.calls.append((method, args))
        while method not in self.answers:
            await self._changed.wait()
        answer = self.answers[method]
        if callable(answer):
            answer = answer(*args)
            if asyncio.iscoroutine(answer):
                answer = await answer
        if isinstance(answer, AcError):
            raise answer
        return answer

    def called(self, method: str) -> list[tuple[object, ...]]:
        """The arguments of each call of a method."""
        return [args for name, args in self.calls if name == method]


@dataclass
class ShownPanel(Shown):
    """A panel, with words for what a person does."""

    async def press(self, words: str) -> None:
        """Press the button with these words, or with this label."""
        await self._act("_onClickHandlerId", words)

    async def choose(self, label: str, value: object) -> None:
        """Change a control with this label or text."""
        await self._act("_onChangeHandlerId", label, value)

    async def tick(self, *, is_on: bool) -> None:
        """Tick the first checkbox, or take its tick away."""
        node = self.host.find(lambda node: node["props"].get("type") == "checkbox")
        self.view.execute_handler(str(node["props"]["_onChangeHandlerId"]), [is_on])
        await self.settle()

    async def type(self, label: str, text: str) -> None:
        """Type into the field with this label."""
        await self._act("_onInputHandlerId", label, text)

    async def _act(self, prop: str, words: str, *args: object) -> None:
        node = self.host.find(
            lambda node: (
                prop in node["props"]
                and (words in text_of(node) or words in str(node["props"].get("aria-label", "")))
            )
        )
        self.view.execute_handler(str(node["props"][prop]), list(args))
        await self.settle()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(WAIT_S):
            while not condition():
                await asyncio.sleep(0.005)

    async def until_text(self, words: str) -> None:
        """Wait until a text is shown."""
        await self.until(lambda: words in self.host.text())


@asynccontextmanager
async def shown_panel(
    plugin: Plugin, services: Services, props: Mapping[str, object] | None = None
) -> AsyncIterator[ShownPanel]:
    """Show a panel of its own state, and end it; nothing in it may have failed."""
    host = MemoryHost()
    runtime = PanelRuntime(plugin.app, props or plugin.props, services)
    view = PanelView(runtime, host.send)
    await view.initialize({"protocolVersion": 3})
    one = ShownPanel(runtime, view, host)
    try:
        await one.settle()
        yield one
        assert host.errors == [], host.stacks
    finally:
        await view.destroy()
