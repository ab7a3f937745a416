"""Makes a package that is installed look as if it weren't, to the import system itself."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Protocol

import pytest

from jupyter_ac.index.languages.grammars import grammar_of


class _Finder(Protocol):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = ..., /
    ) -> ModuleSpec | None: ...


class _Without:
    """A finder that doesn't find one package."""

    def __init__(self, finder: _Finder, package: str) -> None:
        self._finder = finder
        self._package = package

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] == self._package:
            return None
        return self._finder.find_spec(name, path, target)


def hide(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Hide a package until the end of the test; grammars that were loaded are loaded again."""
    finders = [_Without(finder, package) for finder in sys.meta_path]
    monkeypatch.setattr(sys, "meta_path", finders)
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    grammar_of.cache_clear()
