"""A panel in a file of its own: found in its module, loaded anew when the file has changed."""

import string
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.panels.components import Component
from jupyter_ac.panels.plugin import Plugin, loading_file
from jupyter_ac.panels.tracebacks import ErrorReport, error_report

MODULE: Final = "__panel__"
"""The name of the module that the file becomes."""

_PLUGIN: Final = "plugin"
_COMPONENT: Final = "App"
_NAME_CHARS: Final = frozenset(string.ascii_lowercase + string.digits)
_MAX_NAME_CHARS: Final = 64


class PanelFile:
    """A Python file with a panel.

    Args:
        path: absolute.

    Attributes:
        path: as given.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> Plugin:
        """Run the file and return its panel; modules beside it are loaded anew, too.

        Raises:
            NotFound: there is no such file, or no panel in it.
            InvalidParams: there are several panels in it.
            BaseException: whatever the file raises.
        """
        if not self.path.is_file():
            raise NotFound(f"There is no file {self.path.name}.")
        folder = str(self.path.parent)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        for name in self._own_modules():
            del sys.modules[name]
        loader = _UncachedLoader(MODULE, str(self.path))
        spec = spec_from_loader(MODULE, loader)
        if spec is None:
            raise NotFound(f"{self.path.name} is no Python file.")
        module = module_from_spec(spec)
        sys.modules[MODULE] = module
        with loading_file():
            loader.exec_module(module)
        return self._plugin(module)

    def files(self) -> frozenset[str]:
        """The paths of the files that are loaded: of the panel, and of modules beside it."""
        beside = (sys.modules[name].__file__ or "" for name in self._own_modules())
        return frozenset({str(self.path), *beside})

    def report(self, error: BaseException) -> ErrorReport:
        """Return an error of loading it for hosts: with its file and line."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != str(self.path):
            trace = trace.tb_next
        report = error_report(error.with_traceback(trace))
        return {**report, "message": f"{self.path.name}: {report['message']}"}

    def _own_modules(self) -> list[str]:
        """Return the names of the modules that lie beside the file, or are it."""
        folder = self.path.parent
        return [
            name
            for name, module in tuple(sys.modules.items())
            if (place := getattr(module, "__file__", None)) and Path(place).parent == folder
        ]

    def _name(self) -> str:
        """Return the name of the file as a panel's: many of their components are named `App`."""
        words = "".join(each if each in _NAME_CHARS else " " for each in self.path.stem.lower())
        return "-".join(words.split())[:_MAX_NAME_CHARS].strip("-") or "panel"

    def _plugin(self, module: ModuleType) -> Plugin:
        named = getattr(module, _PLUGIN, None)
        if isinstance(named, Plugin):
            return named
        found = {id(each): each for each in vars(module).values() if isinstance(each, Plugin)}
        if len(found) == 1:
            return next(iter(found.values()))
        component = getattr(module, _COMPONENT, None)
        if not found and isinstance(component, Component):
            return Plugin(component, name=self._name(), title=self.path.stem)
        if found:
            raise InvalidParams(
                f"{self.path.name} has {len(found)} panels; call the one to be shown `plugin`."
            )
        raise NotFound(
            f"{self.path.name} has no panel: it needs a Plugin, or a component named App."
        )


class _UncachedLoader(SourceFileLoader):
    """Compiles the file each time: a cache would miss two changes within a second."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the module."""
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code
