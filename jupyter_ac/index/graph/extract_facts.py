"""Extracts from a record the numbers that name resolution needs; runs once for each content."""

from collections import Counter
from operator import itemgetter
from typing import Final, NamedTuple

import orjson

from jupyter_ac.index.graph.facts import (
    APART,
    APART_KINDS,
    HOLDER,
    HOLDERS,
    PLAIN,
    Base,
    Facts,
    before_key,
    called,
)
from jupyter_ac.index.graph.importing import parts_written
from jupyter_ac.index.graph.keys import NO_NAME, SELF, SUPER, import_key, key_of, use_keys
from jupyter_ac.index.languages.registry import described, family_of
from jupyter_ac.index.records import NOBODY, FileRecord, Symbol

_KINDS: Final = dict.fromkeys(HOLDERS, HOLDER) | dict.fromkeys(APART_KINDS, APART)
_NAME_BASE_INSIDE: Final = itemgetter(0, 1, 4)
_WITH_CLASS: Final = frozenset({SELF, SUPER})


class FileFacts(NamedTuple):
    """The facts of a record, and the keys under which it is found.

    Attributes:
        facts: of the file, wherever it is.
        keys: under which it can be found, wherever it is.
    """

    facts: Facts
    keys: set[int]


def gather(record: FileRecord) -> FileFacts:
    """Gather the facts of a record."""
    facts = Facts("", family_of(record.language))
    symbols = record.symbols
    facts.names.extend([key_of(symbol.name) for symbol in symbols])
    facts.parents.extend([symbol.parent for symbol in symbols])
    facts.kinds = bytes([_KINDS.get(symbol.kind, PLAIN) for symbol in symbols])
    between = "::" if described(record.language).reading.dots_in_names else "."
    facts.bases = {
        at: tuple(_base(name, between) for name in row.bases)
        for at, row in enumerate(symbols)
        if row.bases
    }
    _lift(facts, symbols)
    if record.imports:
        facts.imports = orjson.dumps([row[:4] for row in record.imports])
    _count_uses(facts, record)
    _qualify_bases(facts, record)
    _add_bases(facts)
    return FileFacts(facts, _keys(facts, record))


def _lift(facts: Facts, symbols: tuple[Symbol, ...]) -> None:
    """Take what stands in a namespace out of it: it is named without it from inside."""
    for at, row in enumerate(symbols):
        parent = row.parent
        if parent == NOBODY or symbols[parent].kind != "module":
            continue
        if facts.rules.opens_namespaces or row.kind in HOLDERS:
            facts.parents[at] = facts.parents[parent]


def _count_uses(facts: Facts, record: FileRecord) -> None:
    counted: dict[tuple[int, int, int], int] = {}
    is_bare = facts.rules.has_bare_members
    prefixes = {"": NO_NAME}
    classes: dict[int, int] = {}
    uses = record.uses
    if facts.rules.has_bare_super:
        uses = tuple(called(facts.rules, use, record.symbols) for use in uses)
    for (name, base, symbol), count in Counter(map(_NAME_BASE_INSIDE, uses)).items():
        before = prefixes.get(base)
        if before is None:
            before = prefixes[base] = before_key(base)
        owner = NOBODY
        if before in _WITH_CLASS or (is_bare and not base):
            known = classes.get(symbol)
            if known is None:
                known = classes[symbol] = facts.class_around(symbol)
            owner = known
        row = key_of(name), before, owner
        counted[row] = counted.get(row, 0) + count
    if counted:
        names, befores, owners = zip(*counted, strict=True)
        facts.uses.extend(names)
        facts.before.extend(befores)
        facts.around.extend(owners)
        facts.counts.extend(counted.values())


def _qualify_bases(facts: Facts, record: FileRecord) -> None:
    """Find what stands before the names of bases: it is with the uses."""
    if not facts.bases:
        return
    before = {
        (inside, key_of(name)): key_of(base)
        for name, base, _, _, inside in record.uses
        if base and inside in facts.bases
    }
    for symbol, found in facts.bases.items():
        facts.bases[symbol] = tuple(
            base._replace(before=base.before or before.get((symbol, base.name), NO_NAME))
            for base in found
        )


def _add_bases(facts: Facts) -> None:
    """Make sure that the names of bases are among the uses: what they mean matters to others."""
    if not facts.bases:
        return
    wanted = dict.fromkeys(base for bases in facts.bases.values() for base in bases)
    rows = zip(facts.uses, facts.before, facts.around, strict=True)
    known = wanted.keys() & {(name, before) for name, before, owner in rows if owner == NOBODY}
    for base in wanted:
        if base in known:
            continue
        facts.uses.append(base.name)
        facts.before.append(base.before)
        facts.around.append(NOBODY)
        facts.counts.append(0)


def _keys(facts: Facts, record: FileRecord) -> set[int]:
    """Return the keys of a file's words, of what it uses and imports, and of its imports' parts."""
    words = set(map(key_of, record.words))
    mentioned = {*facts.uses, *facts.before}
    for row in record.imports:
        mentioned.update(key_of(name) for pair in row.names for name in pair)
        if row.alias:
            mentioned.add(key_of(row.alias))
    for bases in facts.bases.values():
        mentioned.update(part for base in bases for part in base)
    mentioned -= words
    mentioned -= {NO_NAME, SELF, SUPER}
    parts = {part for line in record.imports for part in parts_written(line)}
    words.update(use_keys(mentioned), map(import_key, parts))
    return words


def _base(name: str, between: str) -> Base:
    for mark in ("[", "<", "("):
        name = name.partition(mark)[0]
    before, _, last = name.replace("::", between).strip().rpartition(between)
    before = before.rpartition(between)[2]
    return Base(key_of(last), key_of(before) if before else NO_NAME)
