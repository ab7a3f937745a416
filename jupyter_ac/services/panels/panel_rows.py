"""Shapes of the `Panels` methods."""

from typing import Literal, TypeAlias, TypedDict

from jupyter_ac.panels.tracebacks import ErrorReport

PanelOrigin: TypeAlias = Literal[
    "built-in", "entry-point", "command", "file", "connected", "kernel"
]
"""Who offers a panel: this package, another installed one, the user's settings, a file that the
server was started with, a program that has connected, the notebook."""

PanelState: TypeAlias = Literal["stopped", "starting", "running", "failed"]


class PanelRow(TypedDict):
    """A panel that can be shown.

    Attributes:
        id: identifies it on this link.
        title: for people.
        origin: who offers it.
        state: of its plugin.
        error: why it has failed, else None.
        calls: the methods of the server that it may call; known once it has run.
        loads: how often its plugin was loaded; goes up when its file was saved, too, and what was
            wrong before is over.
    """

    id: str
    title: str
    origin: PanelOrigin
    state: PanelState
    error: ErrorReport | None
    calls: list[str]
    loads: int
