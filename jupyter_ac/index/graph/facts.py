"""What resolution needs of a file, in numbers; made from the bytes of its record."""

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import orjson

from jupyter_ac.index.graph.keys import (
    NO_NAME,
    SELF,
    SELF_NAMES,
    SUPER,
    SUPER_NAMES,
    key_of,
)
from jupyter_ac.index.records import NOBODY, Import

Symbols: TypeAlias = list[tuple[str, str, int, int, int, int, int, str, str, list[str]]]

HOLDERS: Final = frozenset({"class", "interface", "struct", "enum", "type", "module", "table"})
"""Kinds that have members."""
_APART: Final = frozenset({"key", "element", "rule"})
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

    def __init__(self, path: str, language: str, symbols: Symbols) -> None:
        self.family = _FAMILIES.get(language, language)
        self.is_declaring = path.endswith((".h", ".hh", ".hpp", ".hxx", ".pyi", ".d.ts"))
        self.names = array("Q", [key_of(row[0]) for row in symbols])
        self.parents = array("i", [row[6] for row in symbols])
        self._lift(symbols)
        self.kinds = bytes(
            [
                HOLDER if row[1] in HOLDERS else APART if row[1] in _APART else PLAIN
                for row in symbols
            ]
        )
        self.bases = {at: tuple(map(_base, row[9])) for at, row in enumerate(symbols) if row[9]}
        self.imports = b""
        self.uses = array("Q")
        self.before = array("Q")
        self.around = array("i")
        self.counts = array("I")

    def _lift(self, symbols: Symbols) -> None:
        """Take what stands in a namespace out of it: it is named without it from inside."""
        for at, row in enumerate(symbols):
            parent = row[6]
            if parent == NOBODY or symbols[parent][1] != "module":
                continue
            if self.family == "c" or row[1] in HOLDERS:
                self.parents[at] = self.parents[parent]

    def class_around(self, symbol: int) -> int:
        """Return the innermost class that a symbol is or stands in."""
        while symbol != NOBODY and self.kinds[symbol] != HOLDER:
            symbol = self.parents[symbol]
        return symbol

    def is_member(self, symbol: int) -> bool:
        """Tell whether a symbol belongs to a class."""
        parent = self.parents[symbol]
        return parent != NOBODY and self.kinds[parent] == HOLDER


class Told(NamedTuple):
    """What the bytes of a record say beside the facts.

    Attributes:
        facts: of the file.
        words: keys of its words.
        mentioned: keys of what it uses and imports.
        note: the record's.
    """

    facts: Facts
    words: set[int]
    mentioned: set[int]
    note: str


def read(path: str, language: str, encoded: bytes) -> Told:
    """Read the bytes of a record (`jupyter_ac.index.encoding`)."""
    written_as, symbols, imports, names, columns, words, _, note = orjson.loads(encoded)
    facts = Facts(path, written_as or language, symbols)
    lines = [(row[0], row[1], row[2], row[3]) for row in imports]
    facts.imports = orjson.dumps(lines) if lines else b""
    mentioned = {key_of(name) for row in imports for pair in row[1] for name in pair}
    mentioned.update(key_of(row[2]) for row in imports if row[2])
    for bases in facts.bases.values():
        mentioned.update(part for base in bases for part in base)
    if columns:
        _count_uses(facts, names, columns)
        _qualify_bases(facts, names, columns)
        mentioned.update(facts.uses, facts.before)
    _add_bases(facts)
    mentioned -= {NO_NAME, SELF, SUPER}
    return Told(facts, set(map(key_of, words)), mentioned, note)


def imports_of(facts: Facts) -> list[Import]:
    """Return a file's imports, their lines left out."""
    if not facts.imports:
        return []
    return [
        Import(module, tuple((there, here) for there, here in names), alias, level, 0)
        for module, names, alias, level in orjson.loads(facts.imports)
    ]


def _count_uses(facts: Facts, names: Sequence[str], columns: Sequence[Sequence[int]]) -> None:
    called, bases, _, _, inside = columns
    keys = list(map(key_of, names))
    befores = [before_key(name) for name in names]
    counted: Counter[tuple[int, int, int]] = Counter()
    for (name, base, symbol), count in Counter(zip(called, bases, inside, strict=True)).items():
        counted[keys[name], befores[base], around(facts, befores[base], symbol)] += count
    for (name, before, owner), count in counted.items():
        facts.uses.append(name)
        facts.before.append(before)
        facts.around.append(owner)
        facts.counts.append(count)


def _qualify_bases(facts: Facts, names: Sequence[str], columns: Sequence[Sequence[int]]) -> None:
    """Find what stands before the names of bases: it is with the uses."""
    if not facts.bases:
        return
    called, bases, _, _, inside = columns
    rows = zip(called, bases, inside, strict=True)
    before = {
        (symbol, key_of(names[name])): key_of(names[base])
        for name, base, symbol in rows
        if symbol in facts.bases and names[base]
    }
    for symbol, found in facts.bases.items():
        facts.bases[symbol] = tuple(
            base._replace(before=base.before or before.get((symbol, base.name), NO_NAME))
            for base in found
        )


def _add_bases(facts: Facts) -> None:
    """Make sure that the names of bases are among the uses: what they mean matters to others."""
    known = set(zip(facts.uses, facts.before, facts.around, strict=True))
    for base in {base for bases in facts.bases.values() for base in bases}:
        if (*base, NOBODY) in known:
            continue
        facts.uses.append(base.name)
        facts.before.append(base.before)
        facts.around.append(NOBODY)
        facts.counts.append(0)


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


def _base(name: str) -> Base:
    for mark in ("[", "<", "("):
        name = name.partition(mark)[0]
    before, _, last = name.replace("::", ".").strip().rpartition(".")
    before = before.rpartition(".")[2]
    return Base(key_of(last), key_of(before) if before else NO_NAME)
