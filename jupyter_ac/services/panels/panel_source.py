"""The interface between the `Panels` methods and what runs a panel.

A *source* offers a panel and starts its *plugin*, which has one host: `SharedPanel`, which shows it
to any number of pages. A plugin may be in this process, in another one, or behind a connection.
"""

from collections.abc import Sequence
from typing import Protocol

from jupyter_ac.panels.current_panel import LogLevel
from jupyter_ac.panels.tracebacks import ErrorReport
from jupyter_ac.services.panels.panel_rows import PanelOrigin


class PluginHost(Protocol):
    """Is told what a plugin sends; each method returns at once and raises nothing."""

    def update_tree(self, tree: object) -> None:
        """The plugin shows another tree: a JSON object, or None for nothing."""

    def apply_mutations(self, batch: Sequence[object]) -> None:
        """The plugin changes its tree."""

    def log(self, level: LogLevel, args: Sequence[object]) -> None:
        """The plugin has written to its log."""

    def report_error(self, error: ErrorReport) -> None:
        """The plugin's code has failed; it goes on."""

    def described(self, title: str, calls: Sequence[str]) -> None:
        """The plugin has said its title, "" if none; the calls are those that it was granted."""

    def ended(self, error: ErrorReport) -> None:
        """The plugin has ended by itself; nothing more comes from it."""


class PluginLink(Protocol):
    """A running plugin."""

    async def call(self, method: str, /, *args: object) -> object:
        """Call a method of the protocol, such as `executeHandler`.

        Raises:
            ConnectionClosed: it has ended; its host was told before.
            AcError: it refused the call, or didn't answer.
        """

    async def end(self) -> None:
        """End it for good; bounded, idempotent, not told to its host."""


class PanelSource(Protocol):
    """Offers a panel."""

    @property
    def id(self) -> str:
        """Identifies it among the panels of a directory."""

    @property
    def title(self) -> str:
        """For people, until the plugin says another one."""

    @property
    def origin(self) -> PanelOrigin:
        """Who offers it."""

    @property
    def linger_s(self) -> float | None:
        """How long its plugin goes on after the last page has left; None: for ever."""

    async def start(self, host: PluginHost) -> PluginLink:
        """Start the plugin; its host initializes it next.

        Raises:
            AcError: it can't be started.
        """
