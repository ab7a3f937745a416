"""The facts of one file that name resolution reads, as arrays of integers."""

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

import orjson

from jupyter_ac.index.graph.keys import NO_NAME, SELF, SUPER, key_of
from jupyter_ac.index.languages.language import NameRules
from jupyter_ac.index.languages.registry import DECLARING, SELF_NAMES, SUPER_NAMES, described
from jupyter_ac.index.records import NOBODY, Import, Symbol, Use

HOLDERS: Final = frozenset({"class", "interface", "struct", "enum", "type", "module", "table"})
"""Kinds that have members."""
APART_KINDS: Final = frozenset({"key", "element", "rule"})
"""Kinds that code doesn't name."""
PLAIN, HOLDER, APART = 0, 1, 2
_MOST_ALIKE: Final = 100
"""Symbols of one name that are looked at for the parts of a class."""


class Base(NamedTuple):
    """A base class: the last part of its name, and the part before it."""

    name: int
    before: int


class Facts:
    """A file in numbers.

    Attributes:
        family: its language, or the one that stands for those whose files name each other.
        rules: of that language for names.
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
        "rules",
        "uses",
    )

    def __init__(self, path: str, family: str) -> None:
        self.family = family
        self.rules = described(family).names
        self.is_declaring = path.endswith(DECLARING)
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

    @property
    def space(self) -> str:
        """What stands for all files whose packages are the same; "" where files declare none."""
        return self.rules.platform or (self.family if self.rules.scope == "package" else "")

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

    def other_parts(self, owner: int) -> list[int]:
        """Return the classes of the name of one that stand where it stands and are one with it."""
        if not self.rules.has_partial_classes:
            return []
        around, found = self.parents[owner], self.named(self.names[owner])[:_MOST_ALIKE]
        alike = [at for at in found if self.parents[at] == around and self.kinds[at] == HOLDER]
        return [at for at in alike if at != owner]

    def at_top(self, name: int) -> int:
        """Return the first symbol of a name at top level that code may name, else `NOBODY`."""
        for symbol in self.named(name):
            if self.parents[symbol] == NOBODY and self.kinds[symbol] != APART:
                return symbol
        return NOBODY

    def classes_at_top(self) -> set[int]:
        """Return the names of the classes that stand at top level."""
        rows = zip(self.names, self.parents, self.kinds, strict=True)
        return {name for name, parent, kind in rows if parent == NOBODY and kind == HOLDER}

    def class_in(self, owner: int, name: int) -> int:
        """Return the class of a name in another class, in all its parts here, else `NOBODY`."""
        around = {owner, *self.other_parts(owner)}
        for symbol in self.named(name):
            if self.parents[symbol] in around and self.kinds[symbol] == HOLDER:
                return symbol
        return NOBODY

    def is_member(self, symbol: int) -> bool:
        """Tell whether a symbol belongs to a class."""
        parent = self.parents[symbol]
        return parent != NOBODY and self.kinds[parent] == HOLDER


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


def called(rules: NameRules, use: Use, symbols: Sequence[Symbol]) -> Use:
    """Return a use as it reads when the method that `super` alone calls is written out."""
    if use.name != "super" or use.base or use.inside == NOBODY or not rules.has_bare_super:
        return use
    return use._replace(name=symbols[use.inside].name, base=use.name)


def around(facts: Facts, before: int, symbol: int) -> int:
    """Return the class around a use when its meaning depends on that."""
    if before in {SELF, SUPER} or (before == NO_NAME and facts.rules.has_bare_members):
        return facts.class_around(symbol)
    return NOBODY
