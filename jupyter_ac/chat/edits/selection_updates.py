"""Updates a selection when edits are applied, accepted or undone.

A selection lists paths. Edits can make a path mean another file; a path is removed from the
selection when its file is another one than the file that the user ticked.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from jupyter_ac.chat.auto_selection import AutoSelectionRule, FileIdentity, Grounds, Verdict
from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.chat.edits.apply_options import Applied
from jupyter_ac.chat.prompt.blocks import shown_path
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.ids import RepoPath

MOST_ADDED: Final = 20
"""Files that the program adds in one turn because an answer edits them."""

_NAMED: Final = 10
_TOO_MANY: Final = f"more than {MOST_ADDED} files in one turn are never added so"

Identities: TypeAlias = Mapping[RepoPath, FileIdentity]


@dataclass(frozen=True, slots=True)
class SelectionChange:
    """The change of a selection by edits.

    Attributes:
        paths: all that is selected now, in order.
        added: files that the answer edits and that the prompt did not have.
        removed: files that were ticked and that the edits have deleted or renamed.
        outcomes: of the blocks; those about files that may not be added are withheld.
        notices: sentences for the user about files that were not selected.
        renamed: the earlier names of selected files that the edits have renamed.
    """

    paths: tuple[RepoPath, ...]
    added: tuple[RepoPath, ...] = ()
    removed: tuple[RepoPath, ...] = ()
    outcomes: Sequence[BlockOutcome] = ()
    notices: tuple[str, ...] = ()
    renamed: Mapping[RepoPath, RepoPath] = field(default_factory=dict)

    def by_program(
        self, before: Collection[RepoPath], marked: Collection[RepoPath]
    ) -> frozenset[RepoPath]:
        """Return those of the paths that the program has ticked, not the user.

        Args:
            before: the selection until now.
            marked: those of it that the program had ticked; a renamed file stays what it was.
        """
        return frozenset(
            path
            for path in self.paths
            if path in marked
            or (path not in before and self.renamed.get(path, path) not in {*before} - {*marked})
        )


class SelectionAfterEdits:
    """Works out selections after edits.

    Args:
        rule: which files may be added.
    """

    def __init__(self, rule: AutoSelectionRule) -> None:
        self._rule = rule

    async def look(self, selection: Sequence[RepoPath]) -> Identities:
        """Say which files a selection means; asked for before edits are applied or taken back."""
        return await self._rule.identities(selection)

    async def after_answer(
        self, selection: Sequence[RepoPath], before: Identities, applied: Applied, room: int
    ) -> SelectionChange:
        """Return the selection after an answer, with the edited files that the prompt did not have.

        Args:
            selection: as it is at this moment.
            before: the files that it meant before the edits.
            applied: the result of the answer's blocks.
            room: how many files that the prompt did not have may be added.
        """
        change = await self.after_decision(selection, before, applied)
        context = {name for one in before.values() for name in one.names}
        context |= {*applied.created, *(new for _, new in applied.renamed)}
        outcomes, added = await self._unseen(applied.outcomes, context, room)
        paths = tuple(dict.fromkeys((*change.paths, *added)))
        return replace(change, paths=paths, added=tuple(added), outcomes=outcomes)

    async def after_decision(
        self, selection: Sequence[RepoPath], before: Identities, applied: Applied
    ) -> SelectionChange:
        """Return the selection after edits: with files that were created, or ticked and renamed."""
        ticked = {name for one in before.values() for name in one.names}
        moved = [new for old, new in applied.renamed if old in ticked]
        moved_to = {new for _, new in applied.renamed}
        stays = await self._same(selection, before, moved_to)
        created = await self._rule.judge(applied.created, Grounds.CREATED)
        renamed = await self._rule.judge(moved, Grounds.TICKED)
        gone = [*applied.deleted, *(old for old, _ in applied.renamed)]
        return SelectionChange(
            paths=tuple(dict.fromkeys((*stays, *_allowed(created), *_allowed(renamed)))),
            removed=tuple(path for path in gone if path in ticked),
            outcomes=applied.outcomes,
            notices=_not_ticked({**created, **renamed}),
            renamed={new: old for old, new in applied.renamed},
        )

    async def after_undo(
        self,
        selection: Sequence[RepoPath],
        before: Identities,
        back: Iterable[RepoPath],
        ticked: Collection[str],
    ) -> tuple[RepoPath, ...]:
        """Return the selection after edits were taken back.

        Args:
            selection: as it is at this moment.
            before: the files that it meant before.
            back: deleted files that exist again.
            ticked: those that were ticked when the edits deleted them, and still would be.
        """
        stays = await self._same(selection, before, ())
        judged = await self._rule.judge([path for path in back if path in ticked], Grounds.TICKED)
        return tuple(dict.fromkeys((*stays, *_allowed(judged))))

    async def _same(
        self, selection: Sequence[RepoPath], before: Identities, moved_to: Collection[RepoPath]
    ) -> list[RepoPath]:
        """Return the paths that mean the file that they meant, or were ticked only just."""
        now = await self._rule.identities(selection)
        return [
            path
            for path in selection
            if (one := now.get(path)) is not None
            and one.is_file
            and before.get(path, one) == one
            and one.names.isdisjoint(moved_to)
        ]

    async def _unseen(
        self, outcomes: Sequence[BlockOutcome], context: Collection[RepoPath], room: int
    ) -> tuple[list[BlockOutcome], list[RepoPath]]:
        """Withhold what may not be sent; return the outcomes, and the files that may be added."""
        asked = [path for one in outcomes if one.is_open for path in _paths(one.block)]
        verdicts = await self._rule.judge(filter(None, asked), Grounds.EDITED)
        added: dict[RepoPath, None] = {}
        told: list[BlockOutcome] = []
        for one in outcomes:
            closed = [
                (path, verdict)
                for path in _paths(one.block)
                if one.is_open and (verdict := verdicts.get(path)) is not None
                if verdict.reason and not _is_in(verdict, context)
            ]
            verdict = verdicts.get(one.block.path)
            if one.status is not BlockStatus.NOT_IN_CONTEXT:
                told.append(_withheld(one, *closed[0]) if closed else one)
            elif verdict is None or verdict.identity is None or verdict.reason:
                reason = verdict or Verdict(None, "it is no file of the repository")
                told.append(_withheld(one, one.block.path, reason))
            elif verdict.identity.path in added or len(added) < room:
                added[verdict.identity.path] = None
                told.append(one)
            else:
                told.append(_withheld(one, one.block.path, Verdict(verdict.identity, _TOO_MANY)))
        return told, list(added)


def announcement(paths: Sequence[RepoPath]) -> str:
    """Say which files a repeated request carries that nobody ticked."""
    names = ", ".join(shown_path(path) for path in paths)
    return f"Added to the context and sent: {names} (the answer edits {_them(paths)})."


def added_notice(paths: Sequence[RepoPath]) -> str:
    """Say which files were added and not sent yet."""
    names = ", ".join(shown_path(path) for path in paths)
    return (
        f"Added to the context: {names} (the answer edits {_them(paths)}); "
        "sent with your next question, unless you untick what is not to be sent."
    )


def _them(paths: Sequence[RepoPath]) -> str:
    return "it" if len(paths) == 1 else "them"


def _withheld(outcome: BlockOutcome, path: str, verdict: Verdict) -> BlockOutcome:
    """Keep from the model all that an outcome says of a file that may not be added."""
    block = outcome.block
    if path != block.path or not verdict.is_file:
        return replace(outcome, is_withheld=True)
    message = (
        f"{block.path!r} is not in context, and was not added to it: {verdict.reason}. "
        "Tick it and ask again if it may be sent."
    )
    return BlockOutcome(
        block,
        BlockStatus.NOT_IN_CONTEXT,
        message,
        is_create=outcome.is_create,
        protected=outcome.protected,
        is_withheld=True,
    )


def _paths(block: EditBlock) -> list[str]:
    return [block.path, block.new_path] if block.kind is BlockKind.RENAME else [block.path]


def _is_in(verdict: Verdict, context: Collection[RepoPath]) -> bool:
    identity = verdict.identity
    return identity is not None and not identity.names.isdisjoint(context)


def _allowed(verdicts: Mapping[str, Verdict]) -> list[RepoPath]:
    return [
        one.identity.path
        for one in verdicts.values()
        if one.identity is not None and one.is_file and not one.reason
    ]


def _not_ticked(verdicts: Mapping[str, Verdict]) -> tuple[str, ...]:
    refused = [(path, one.reason) for path, one in verdicts.items() if one.reason and one.is_file]
    return tuple(f"Not ticked: {shown_path(path)}; {why}." for path, why in refused[:_NAMED])
