"""The packages (namespaces) that the files of a tree declare to be in, wherever the files are."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from jupyter_ac.index.records import Manifest

ROW: Final = "package"
"""Key of the rows of a record that name the packages of its file."""

_NOWHERE: Final = ("",)
_NOTHING: Final[Mapping[str, None]] = {}


def declared(rows: Manifest) -> tuple[str, ...]:
    """Return the packages that the rows of a file name, each once."""
    return tuple(dict.fromkeys(name for key, *names in rows if key == ROW for name in names))


def enclosing(package: str) -> Iterator[str]:
    """Yield a package and those around it, the innermost first; the unnamed one is the last."""
    while package:
        yield package
        package = package.rpartition(".")[0]
    yield ""


class Packages:
    """Which file is in which packages; a file that declares none is in the unnamed one."""

    def __init__(self) -> None:
        self._packages: dict[str, tuple[str, ...]] = {}
        self._files: dict[str, dict[str, None]] = {}

    def put(self, path: str, packages: tuple[str, ...]) -> set[str]:
        """Set the packages of a file; returns those that it came into or went out of."""
        before = self._packages.get(path, ())
        if packages:
            self._packages[path] = packages
        else:
            self._packages.pop(path, None)
        for gone in before:
            files = self._files[gone]
            del files[path]
            if not files:
                del self._files[gone]
        for package in packages:
            self._files.setdefault(package, {})[path] = None
        return {*before} ^ {*packages}

    def of(self, path: str) -> tuple[str, ...]:
        """Return the packages that a file is in."""
        return self._packages.get(path, _NOWHERE)

    def files(self, package: str) -> Collection[str]:
        """Return the files that declare a package."""
        return self._files.get(package, _NOTHING)

    def all(self) -> dict[str, tuple[str, ...]]:
        """Return what is declared, by path."""
        return dict(self._packages)
