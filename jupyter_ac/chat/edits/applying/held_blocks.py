"""Holds back blocks that need a separate acceptance, and blocks that depend on them.

A held block is planned like any other, so that it can fail and be retried, but no step carries it
out. Each block that touches a file of a held block is held as well: it was written for the file as
the held block leaves it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome
from jupyter_ac.chat.edits.apply_options import ApplyOptions
from jupyter_ac.chat.edits.applying.path_checks import BlockTarget, LinkTarget
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.git.ignored_paths import IGNORE_FILE, UNIGNORES, only_ignores_more
from jupyter_ac.git.protected_paths import ProtectedPaths, comparable_names

BUILDS_ON: Final = "It builds on edits before it, and is matched when they are accepted."

_BEFORE_ALL: Final = -1


class HeldBlocks:
    """The blocks of one batch that wait.

    Args:
        protected: which files want an acceptance of their own.
        terms: what was accepted, and what waits from before the batch.
        known: names that held blocks of earlier runs are about, with the positions of these.
    """

    def __init__(
        self, protected: ProtectedPaths, terms: ApplyOptions, known: Mapping[str, int]
    ) -> None:
        self._protected = protected
        self._accepted = terms.accepted
        waiting = dict.fromkeys(map(_joined, terms.waiting), _BEFORE_ALL)
        self._unseen = _WithFolders({**known, **waiting})
        self._seen = _WithFolders({})

    @property
    def names(self) -> Mapping[str, int]:
        """The names that its held blocks are about, with the positions of these."""
        return self._seen.positions

    def reason(self, target: BlockTarget) -> str:
        """Return why a block's file is protected; "" when it isn't."""
        is_folder = target.link is LinkTarget.FOLDER
        found = (self._protected.reason(name, is_folder=is_folder) for name in _names(target))
        return next(filter(None, found), "") or _unignores(target)

    def holds(self, target: BlockTarget) -> bool:
        """Tell whether a block may not be carried out."""
        return (
            self._wants_word(target)
            or self._is_on(self._seen, target)
            or self._is_on(self._unseen, target)
        )

    def judged(self, target: BlockTarget, outcome: BlockOutcome) -> BlockOutcome:
        """Return the outcome of a block, given the one that it would have if it weren't held."""
        outcome = replace(outcome, protected=self.reason(target))
        if not self.holds(target):
            return outcome
        is_fitting = outcome.status is BlockStatus.APPLIED
        is_missed = outcome.status in {BlockStatus.FAILED, BlockStatus.SKIPPED}
        if is_fitting or (is_missed and self._is_on(self._unseen, target)):
            message = f"It waits for an acceptance of its own: {outcome.protected}."
            outcome = BlockOutcome(
                outcome.block,
                BlockStatus.PENDING,
                message if self._wants_word(target) else BUILDS_ON,
                is_create=outcome.is_create,
                protected=outcome.protected,
            )
        if outcome.status is BlockStatus.PENDING:
            self._seen.add(map(_joined, _names(target)), target.position)
        return outcome

    def _wants_word(self, target: BlockTarget) -> bool:
        reason = self.reason(target)
        return reason != "" and self._accepted.get(target.block.index) != reason

    def _is_on(self, held: "_WithFolders", target: BlockTarget) -> bool:
        return any(held.touches(_joined(name), target.position) for name in _names(target))


class _WithFolders:
    """Names, and which other names touch them: the same, a folder above, or something below."""

    def __init__(self, positions: Mapping[str, int]) -> None:
        self.positions = dict[str, int]()
        self._above = dict[str, int]()
        for name, position in positions.items():
            self.add([name], position)

    def add(self, names: Iterable[str], position: int) -> None:
        for name in names:
            self.positions[name] = min(position, self.positions.get(name, position))
            for folder in _folders(name):
                self._above[folder] = min(position, self._above.get(folder, position))

    def touches(self, name: str, position: int) -> bool:
        """Tell whether a name has to do with one of an earlier position."""
        found = [self._above.get(name), self.positions.get(name)]
        found += map(self.positions.get, _folders(name))
        return any(each is not None and each < position for each in found)


def _names(target: BlockTarget) -> list[str]:
    """Return all names of what a block changes: as they were given, and where they lead."""
    block = target.block
    return list(
        dict.fromkeys(filter(None, (target.path, *target.keys, block.path, block.new_path)))
    )


def _unignores(target: BlockTarget) -> str:
    """Return why a block of a `.gitignore` waits; "" when it only makes git ignore more."""
    block = target.block
    last = {names[-1] for name in _names(target) if (names := comparable_names(name))}
    if IGNORE_FILE not in last:
        return ""
    if block.kind is BlockKind.EDIT and only_ignores_more(block.old, block.new):
        return ""
    return UNIGNORES


def _joined(path: str) -> str:
    return "/".join(comparable_names(path))


def _folders(path: str) -> Iterator[str]:
    """Give the folders above a path."""
    while path := path.rpartition("/")[0]:
        yield path
