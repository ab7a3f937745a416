"""What resolution needs of a file, in numbers."""

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

import orjson

from jupyter_ac.index.graph.keys import NO_NAME, SELF, SELF_NAMES, SUPER, SUPER_NAMES, key_of
from jupyter_ac.index.records import NOBODY, Import

HOLDERS: Final = frozenset({"class", "interface", "struct", "enum", "type", "module", "table"})
"""Kinds that have members."""
APART_KINDS: Final = frozenset({"key", "element", "rule"})
"""Kinds that code doesn't name."""
PLAIN, HOLDER, APART = 0, 1, 2

# Languages whose files name each other.
_FAMILIES: Final = {
    "javascript": "javascript",
    "typescript": "javascript",
    "tsx": "javascript",
    "jsx": "javascript",
    "c": "c",
    "cpp": "c",
}
OWN_MEMBERS_BARE: Final = frozenset({"java", "c", "ruby"})
"""Families in which a method names members of its own class without anything before them."""
_DECLARING: Final = (".h", ".hh", ".hpp", ".hxx", ".pyi", ".d.ts")


class Base(NamedTuple):
    """What a class extends: the last part of its name, and the one before it."""

    name: int
    before: int


class Facts:
    """A file in numbers.

    Attributes:
        family: its language, or the one that stands for those whose files name each other.
        is_declaring: whether it only declares what another file defines (`.h`, `.pyi`, `.d.ts`).
        names: of its symbols.
        parents: of its symbols.
        kinds: of its symbols: `PLAIN`, `HOLDER` or `APART`.
        bases: of its classes that have any.
        imports: as JSON, without the lines.
        uses: names of what is used, each with what stands before it and the class around it once.
        before: what stands before the name, or `NO_NAME`, `SELF`, `SUPER`.
        around: the class around it if that matters, else `NOBODY`.
        counts: how often.
    """

    __slots__ = (
        "_base_uses",
        "_named",
        "around",
        "bases",
        "before",
        "counts",
        "family",
        "imports",
        "is_declaring",
        "kinds",
        "names",
        "parents",
        "uses",
    )

    def __init__(self, path: str, family: str) -> None:
        self.family = family
        self.is_declaring = path.endswith(_DECLARING)
        self.names = array("Q")
        self.parents = array("i")
        self.kinds = b""
        self.bases: dict[int, tuple[Base, ...]] = {}
        self.imports = b""
        self.uses = array("Q")
        self.before = array("Q")
        self.around = array("i")
        self.counts = array("I")
        self._named: dict[int, list[int]] | None = None
        self._base_uses: tuple[int, ...] | None = None

    def named(self, name: int) -> Sequence[int]:
        """Return the symbols of a name, in the order of the source."""
        found = self._named
        if found is None:
            found = self._named = {}
            for symbol, key in enumerate(self.names):
                found.setdefault(key, []).append(symbol)
        return found.get(name, ())

    @property
    def base_uses(self) -> tuple[int, ...]:
        """Indices of the uses that are names of bases."""
        found = self._base_uses
        if found is None:
            bases = {base for row in self.bases.values() for base in row}
            rows = enumerate(zip(self.uses, self.before, strict=True))
            found = self._base_uses = tuple(at for at, row in rows if row in bases)
        return found

    def class_around(self, symbol: int) -> int:
        """Return the innermost class that a symbol is or stands in."""
        while symbol != NOBODY and self.kinds[symbol] != HOLDER:
            symbol = self.parents[symbol]
        return symbol

    def is_member(self, symbol: int) -> bool:
        """Tell whether a symbol belongs to a class."""
        parent = self.parents[symbol]
        return parent != NOBODY and self.kinds[parent] == HOLDER


def family_of(language: str) -> str:
    """Return the language, or the one that stands for those whose files name each other."""
    return _FAMILIES.get(language, language)


def imports_of(facts: Facts) -> list[Import]:
    """Return a file's imports, their lines left out."""
    return imports_in(facts.imports)


def imports_in(written: bytes) -> list[Import]:
    """Return the same, of the JSON."""
    if not written:
        return []
    return [
        Import(module, tuple([(there, here) for there, here in names]), alias, level, 0)
        for module, names, alias, level in orjson.loads(written)
    ]


def before_key(name: str) -> int:
    """Return the number for what stands before a name."""
    if not name:
        return NO_NAME
    if name in SELF_NAMES:
        return SELF
    return SUPER if name in SUPER_NAMES else key_of(name)


def around(facts: Facts, before: int, symbol: int) -> int:
    """Return the class around a use when its meaning depends on that."""
    if before in {SELF, SUPER} or (before == NO_NAME and facts.family in OWN_MEMBERS_BARE):
        return facts.class_around(symbol)
    return NOBODY
