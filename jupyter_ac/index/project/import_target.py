"""The result of resolving an import, in any language."""

from typing import Final, NamedTuple

ANY_NAME: Final = "*"
"""Name here of whatever is taken off a module named with dots: `import a.b`, then `a.b.f()`."""


class Binding(NamedTuple):
    """A name that an import makes known in its file.

    Attributes:
        here: the name.
        there: what it is called where it comes from; "" when it is the module itself.
        files: where to look it up, in this order; empty when it comes from outside the repository.
        package: whose files have it, wherever they are; "" for `files`.
    """

    here: str
    there: str
    files: tuple[str, ...]
    package: str = ""


class ImportTarget(NamedTuple):
    """The target of an import.

    Attributes:
        files: of the repository; the first one stands for all. Empty for one from outside.
        bindings: names that it binds; of two for one name the first that exists counts.
        opened: files all of whose names it makes visible.
        packages: packages all of whose names it makes visible.
    """

    files: tuple[str, ...] = ()
    bindings: tuple[Binding, ...] = ()
    opened: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()


OUTSIDE = ImportTarget()


def bound(files: tuple[str, ...], names: tuple[tuple[str, str], ...], alias: str) -> ImportTarget:
    """Return what binds the names of an import, and its alias, to the files it leads to."""
    bindings = [Binding(here, there, files) for there, here in names if there != "*"]
    if alias:
        bindings.append(Binding(alias, "", files))
    opened = files if any(there == "*" for there, _ in names) else ()
    return ImportTarget(files, tuple(bindings), opened)
