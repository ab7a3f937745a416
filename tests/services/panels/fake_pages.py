"""Pages and plugins in memory, whose speed a test decides."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from jupyter_ac.errors import AcError, Busy, ConnectionClosed
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.rpc.codec import encode
from jupyter_ac.services.panels.panel_source import PluginHost, PluginLink
from tests.panels.memory_host import MemoryHost

if TYPE_CHECKING:
    from jupyter_ac.services.panels.panel_rows import PanelOrigin


class FakePage:
    """A page's connection.

    Attributes:
        host: what it shows of one panel.
        rows: what `changed` brought.
        unread: bytes that it has not read.
        refuses: it takes nothing.
    """

    def __init__(self) -> None:
        self.host = MemoryHost()
        self.rows: list[object] = []
        self.closed = False
        self.unread = 0
        self.refuses = False

    def queued_bytes(self) -> int:
        return self.unread

    def notify(self, method: str, /, *args: object) -> None:
        if self.refuses:
            raise Busy("no")
        if method == "Panels.changed":
            self.rows.append(args[0])
            return
        name, sent = method.removeprefix("Panels."), json.loads(encode(list(args[1:])))
        self.host.send(name, *sent)


def tree(words: str) -> dict[str, object]:
    """A tree with a text."""
    text = {"id": "t", "type": "#text", "props": {}, "children": [], "text": words}
    return {"id": "a", "type": "p", "props": {}, "children": [text]}


def text(words: str) -> list[object]:
    """A batch that changes it."""
    return [{"type": "setText", "nodeId": "t", "text": words}]


class FakePlugin:
    """A plugin that shows the last text that a test gave it; its own `PluginLink`.

    Attributes:
        calls: names and arguments of all calls.
        host: whom it tells.
        words: what it shows.
        failure: what its next calls raise.
        wait: awaited by each call.
    """

    def __init__(self, host: PluginHost) -> None:
        self.calls: list[tuple[str, tuple[object, ...]]] = []
        self.host = host
        self.words = "ready"
        self.failure: AcError | None = None
        self.wait: Callable[[], Awaitable[object]] | None = None
        self.has_ended = False

    def names(self) -> list[str]:
        """The methods that were called."""
        return [name for name, _ in self.calls]

    def show(self, words: str) -> None:
        """Change the text."""
        self.words = words
        self.host.apply_mutations(text(words))

    def die(self) -> None:
        """End by itself."""
        self.failure = ConnectionClosed("it has ended")
        self.host.ended(ErrorReport(message="it has ended", stack="the last line"))

    async def call(self, method: str, /, *args: object) -> object:
        self.calls.append((method, args))
        if self.failure is not None:
            raise self.failure
        if self.wait is not None:
            await self.wait()
        if method in {"initialize", "syncTree"}:
            self.host.update_tree(tree(self.words))
        return None

    async def end(self) -> None:
        self.has_ended = True


class FakeSource:
    """Offers such a plugin.

    Attributes:
        plugins: those that were started.
        failure: what a start raises.
    """

    def __init__(self, name: str = "fake", linger_s: float | None = None) -> None:
        self.id = name
        self.title = name.capitalize()
        self.origin: PanelOrigin = "entry-point"
        self.linger_s = linger_s
        self.plugins: list[FakePlugin] = []
        self.failure: AcError | None = None
        self.prepare: Callable[[FakePlugin], None] = lambda _plugin: None

    @property
    def plugin(self) -> FakePlugin:
        """The last one."""
        return self.plugins[-1]

    async def start(self, host: PluginHost) -> PluginLink:
        if self.failure is not None:
            raise self.failure
        plugin = FakePlugin(host)
        self.prepare(plugin)
        self.plugins.append(plugin)
        return plugin


def names(sent: Sequence[tuple[str, tuple[object, ...]]]) -> list[str]:
    """The names among calls."""
    return [name for name, _ in sent]
