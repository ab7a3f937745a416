"""AI pair programming on a git repository, inside Jupyter.

`%load_ext jupyter_ac`, then `%ac`, shows the panel in a notebook; `Panel` is the same as an object.
Importing this package loads only its version, because Jupyter imports it at the start of every
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
    """Import `Panel`, and with it the widget libraries, on first access."""
    if name == "Panel":
        from jupyter_ac.hosts.kernel.panel import Panel  # noqa: PLC0415 - loads anywidget

        return Panel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Include `Panel`, for completion."""
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """Register `%ac`; idempotent."""
    _magics().load(shell)


def unload_ipython_extension(shell: "InteractiveShell") -> None:
    """Unregister `%ac`; open panels stay."""
    _magics().unload(shell)


def _jupyter_server_extension_points() -> list[dict[str, object]]:
    """Return the server extension's entry point, for Jupyter servers."""
    from jupyter_ac.hosts.server.extension import JupyterAcExtension  # noqa: PLC0415 - tornado

    return [{"module": "jupyter_ac.hosts.server.extension", "app": JupyterAcExtension}]


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Return the path of the prebuilt front end, for JupyterLab's tools."""
    return [{"src": "labextension", "dest": "jupyter-ac"}]


def _magics() -> "ModuleType":
    from jupyter_ac.hosts.kernel import magics  # noqa: PLC0415 - loads IPython

    return magics
