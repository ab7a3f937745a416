"""Chooses among definitions of one name: the nearest to a file by its imports."""

import re
from collections.abc import Sequence
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.name_frequency import COMMON, distinction
from jupyter_ac.index.languages.registry import described, family_of
from jupyter_ac.index.navigation.scopes import Goal, goal_of
from jupyter_ac.index.project.path_tree import folder_of
from jupyter_ac.index.records import NOBODY, FileRecord, Symbol
from jupyter_ac.index.view import Definition, IndexView

_APART: Final = frozenset({"key", "element", "rule"})
_MEMBERS: Final = frozenset({"method", "property"})
_HERE, _BESIDE, _IMPORTED, _BEHIND, _FAR = range(5)
_MOST: Final = 400
"""Symbols of one name that are compared."""

_MOST_FILES: Final = 2_000
"""Files that imports of imports are followed to."""


def family_in(record: FileRecord | None) -> str:
    """Return the language of a file, or what stands for those whose files name each other."""
    return family_of(record.language) if record is not None else ""


class Candidates:
    """Chooses the definition nearest to a file among those of one name.

    Args:
        view: the index.
    """

    def __init__(self, view: IndexView) -> None:
        self._view = view
        self._near: dict[RepoPath, dict[RepoPath, int]] = {}
        self._known: dict[tuple[str, str, bool], list[Definition]] = {}
        self._nearest: dict[tuple[RepoPath, str, bool], Goal | None] = {}

    def nearest(self, path: RepoPath, name: str, *, members: bool) -> Goal | None:
        """Return the symbol of a name that is nearest to a file.

        Common names lead only to what the file imports, and only when that is one thing.

        Args:
            path: of the file.
            name: of the symbol.
            members: whether it belongs to something, or stands at top level.
        """
        key = path, name, members
        if key not in self._nearest:
            self._nearest[key] = self._find(path, name, members=members)
        return self._nearest[key]

    def _find(self, path: RepoPath, name: str, *, members: bool) -> Goal | None:
        found = self._named(path, name, members=members)
        if not found:
            return None
        near = self._distances(path)
        ranked = sorted((near.get(each.path, _FAR), each) for each in found)
        best = [each for distance, each in ranked if distance == ranked[0][0]]
        is_far = ranked[0][0] == _FAR
        needs_one = distinction(name) == COMMON or self._repeats_names(path)
        if needs_one and not self._are_one(best):
            return None
        if is_far and distinction(name) == COMMON:
            return None
        return closest(path, list(map(goal_of, best)))

    def beside(self, path: RepoPath, name: str) -> Goal | None:
        """Return what stands at top level under a name in the files of the same folder."""
        folder = folder_of(path)
        named = self._named(path, name, members=False)
        return next((goal_of(each) for each in named if folder_of(each.path) == folder), None)

    def within(self, folder: str, path: RepoPath, name: str) -> Goal | None:
        """Return what stands at top level under a name in the files of a folder."""
        named = self._named(path, name, members=False)
        return next((goal_of(each) for each in named if folder_of(each.path) == folder), None)

    def attached(self, path: RepoPath, owner: str, name: str) -> Goal | None:
        """Return the method of a name that stands outside of its class, in a file without it."""
        found: list[Goal] = []
        for each in self._named(path, name, members=True):
            record = self._view.record(each.path)
            symbol = record.symbols[each.symbol] if record is not None else None
            if symbol is not None and symbol.parent == NOBODY:
                head = symbol.detail.partition(name)[0]
                found += [goal_of(each)] if re.search(rf"\b{re.escape(owner)}\b", head) else []
        return closest(path, found) if found else None

    def _named(self, path: RepoPath, name: str, *, members: bool) -> list[Definition]:
        """Return the symbols of a name that files of a language may mean, at most `_MOST`."""
        key = family_in(self._view.record(path)), name, members
        found = self._known.get(key)
        if found is None:
            rows = self._view.defining(name)[:_MOST]
            found = self._known[key] = [
                each for each in rows if self._fits(each, key[0], members=members)
            ]
        return found

    def _fits(self, each: Definition, family: str, *, members: bool) -> bool:
        record = self._view.record(each.path)
        if record is None or family_in(record) != family:
            return False
        symbol = record.symbols[each.symbol]
        return symbol.kind not in _APART and _is_member(record, symbol) == members

    def _repeats_names(self, path: RepoPath) -> bool:
        record = self._view.record(path)
        return record is not None and described(record.language).names.repeats_names

    def _are_one(self, found: list[Definition]) -> bool:
        """Tell whether symbols stand in one place: the variants of one, or one by itself."""
        first = found[0]
        return (
            all(each.path == first.path for each in found)
            and len({self._parent(each) for each in found}) == 1
        )

    def _parent(self, each: Definition) -> int:
        record = self._view.record(each.path)
        return record.symbols[each.symbol].parent if record is not None else NOBODY

    def _distances(self, path: RepoPath) -> dict[RepoPath, int]:
        """Return how far the files are that a file sees."""
        found = self._near.get(path)
        if found is None:
            found = self._near[path] = {path: _HERE}
            folder = folder_of(path)
            direct = list(self._view.targets(path))
            found |= dict.fromkeys(direct, _IMPORTED)
            found |= {each: _BESIDE for each in direct if folder_of(each) == folder}
            for each in direct:
                if len(found) < _MOST_FILES:
                    for behind in self._view.targets(each):
                        found.setdefault(behind, _BEHIND)
            found[path] = _HERE
        return found


def _is_member(record: FileRecord, symbol: Symbol) -> bool:
    if symbol.parent == NOBODY:
        return symbol.kind in _MEMBERS
    if symbol.kind == "constant" and described(record.language).names.opens_namespaces:
        return False
    return symbol.parent != NOBODY and record.symbols[symbol.parent].kind != "module"


def closest(path: RepoPath, found: Sequence[Goal]) -> Goal:
    """Return what stands in the file that shares most of its path with another."""
    mine = path.rpartition(".")[0].split("/")

    def order(each: Goal) -> tuple[int, Goal]:
        shared = 0
        for one, other in zip(mine, each.path.rpartition(".")[0].split("/"), strict=False):
            if one != other:
                break
            shared += 1
        return -shared, each

    return min(found, key=order)
