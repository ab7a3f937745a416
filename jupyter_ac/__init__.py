"""AI pair programming on a git repository, inside Jupyter.

`%load_ext jupyter_ac`, then `%ac`, shows the panel in a notebook; `Panel` is the same as an object.
Importing this package loads nothing but its version: Jupyter imports it at the start of every
server and every kernel that uses it.
"""

from typing import TYPE_CHECKING

from jupyter_ac.version import __version__

if TYPE_CHECKING:
    from types import ModuleType

    from IPython.core.interactiveshell import InteractiveShell

    from jupyter_ac.hosts.kernel.panel import Panel

__all__ = ["Panel", "__version__", "load_ipython_extension", "unload_ipython_extension"]


def __getattr__(name: str) -> object:
    """Import `Panel`, and with it the widget libraries, when it is first asked for."""
    if name == "Panel":
        from jupyter_ac.hosts.kernel.panel import Panel  # noqa: PLC0415 - loads anywidget

        return Panel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List `Panel` too, for completion."""
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """Register `%ac`; loading twice does nothing more."""
    _extension().load(shell)


def unload_ipython_extension(shell: "InteractiveShell") -> None:
    """Take `%ac` away again; open panels stay."""
    _extension().unload(shell)


def _jupyter_server_extension_points() -> list[dict[str, object]]:
    """Tell a Jupyter server where its extension is."""
    from jupyter_ac.hosts.server.extension import JupyterAcExtension  # noqa: PLC0415 - tornado

    return [{"module": "jupyter_ac.hosts.server.extension", "app": JupyterAcExtension}]


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Tell JupyterLab's tools where the prebuilt front end is."""
    return [{"src": "labextension", "dest": "jupyter-ac"}]


def _extension() -> "ModuleType":
    from jupyter_ac.hosts.kernel import extension  # noqa: PLC0415 - loads IPython

    return extension
