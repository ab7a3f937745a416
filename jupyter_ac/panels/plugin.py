"""`Plugin`: a panel as hosts find it, with its name, its title and what it asks to be granted."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from importlib import import_module
from typing import Final

from jupyter_ac.errors import InvalidParams
from jupyter_ac.panels.components import Component
from jupyter_ac.panels.runtime import PanelRuntime
from jupyter_ac.panels.services import NO_SERVICES, Services

_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MAX_NAME_CHARS: Final = 64
_MAX_TITLE_CHARS: Final = 100
_WORD_STARTS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_METHOD: Final = re.compile(r"[A-Za-z]+\.[A-Za-z_]+")
_IS_FILE_LOADING: Final = ContextVar("jupyter_ac_panel_file", default=False)
_WIDGETS: Final = "jupyter_ac.hosts.kernel.plugin_widget"


class Plugin:
    """A panel that a notebook, a server or a program shows.

    Args:
        app: the component that is shown.
        props: its named arguments, until a host gives others.
        name: lower-case words with hyphens; identifies the panel. Default: from the component's.
        title: shown to people. Default: the words of the component's name.
        calls: full names of the methods of the repository's server that it wants to call with
            `use_services()`, such as `Repo.get_file_tree`.

    Attributes:
        app: as given.
        props: as given.
        name: as given, or its default.
        title: as given, or its default.
        calls: as given.

    Raises:
        InvalidParams: `app` is no component, or a name is none.
    """

    def __init__(
        self,
        app: Component,
        props: Mapping[str, object] | None = None,
        *,
        name: str = "",
        title: str = "",
        calls: Iterable[str] = (),
    ) -> None:
        if not isinstance(app, Component):
            raise InvalidParams("Plugin needs a component: decorate the function with @component.")
        words = _words(app.name)
        self.app = app
        self.props = dict(props or {})
        self.name = _checked_name(name or "-".join(words).lower())
        self.title = (title or " ".join(words).capitalize())[:_MAX_TITLE_CHARS]
        self.calls = frozenset(calls)
        self.services: Services = NO_SERVICES
        wrong = sorted(each for each in self.calls if not _METHOD.fullmatch(each))
        if wrong:
            raise InvalidParams(f"{wrong[0]!r} is no full name of a method, as Repo.get_file_tree.")

    def __repr__(self) -> str:
        return f"<Plugin {self.name}>"

    @cached_property
    def runtime(self) -> PanelRuntime:
        """The running panel, which all hosts that show this plugin share."""
        return PanelRuntime(self.app, self.props, self.services)

    def display(self) -> None:
        """Show the panel below the cell that runs; again for another view of the same panel.

        It lives in the kernel: its functions run between cells. The side panel of JupyterLab shows
        it, too.

        In a file that `jupyter ac panel` loads it does nothing: the panel is shown anyway.

        Raises:
            NotReady: no notebook's kernel runs this.
        """
        if not _IS_FILE_LOADING.get():
            # By name: the SDK itself loads no widget library.
            import_module(_WIDGETS).display_plugin(self)


@contextmanager
def loading_file() -> Iterator[None]:
    """Load a file whose panel is shown in any case, as long as the block runs."""
    token = _IS_FILE_LOADING.set(True)
    try:
        yield
    finally:
        _IS_FILE_LOADING.reset(token)


def _words(name: str) -> list[str]:
    return [word for word in _WORD_STARTS.split(name.rpartition(".")[2]) if word] or ["panel"]


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME_CHARS:
        raise InvalidParams(
            f"{name!r} can't be the name of a panel: use lower-case words with hyphens, at most "
            f"{_MAX_NAME_CHARS} characters."
        )
    return name
