"""Chooses the rows of a turn's edits that a decision of the user's is about."""

from collections.abc import Callable, Collection, Iterable

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.edit_rows import BlockStatus, EditResult
from jupyter_ac.errors import Conflict, InvalidParams


def chosen_rows(
    turn: TurnRecord,
    indices: Collection[int],
    is_open: Callable[[EditResult], bool],
    is_meant: Callable[[EditResult], bool],
) -> list[EditResult]:
    """Return the rows that are named and open; without names, all that are meant then."""
    known = {row["index"]: row for row in turn.edits.results}
    unknown = [index for index in indices if index not in known]
    if unknown:
        raise InvalidParams(f"That answer has no edit block {unknown[0]}.")
    named = [known[index] for index in sorted(set(indices))]
    found = list(filter(is_open, named)) if indices else list(filter(is_meant, known.values()))
    if not found and not indices and any(map(is_pending, known.values())):
        raise Conflict(
            "What waits here are edits of files that run by themselves; accept each by itself."
        )
    if not found:
        raise Conflict("None of these edits waits any more; reload the page to see them.")
    return found


def applied_rows(turn: TurnRecord, indices: Collection[int]) -> list[EditResult]:
    """Return the rows that are named and applied; without names, all that are.

    Raises:
        InvalidParams: there is no such block.
        Conflict: one of them, or none, is applied.
    """
    if not indices:
        chosen = list(filter(stands, turn.edits.results))
    else:
        chosen = chosen_rows(turn, indices, _is_known, _is_known)
    if not chosen or not all(map(stands, chosen)):
        raise Conflict("These edits are not applied any more; reload the page to see them.")
    return chosen


def stands(row: EditResult) -> bool:
    """Tell whether an edit is applied."""
    return row["status"] == "applied"


def awaits_saving(row: EditResult) -> bool:
    """Tell whether an open notebook is to be staged for an edit, or for its undo, when saved."""
    return (stands(row) and row["document"] == "unsaved") or row["document"] == "undone"


def held_back(outcome: BlockOutcome, left: Iterable[EditResult]) -> BlockOutcome:
    """Let a block that fails wait as long as earlier ones for its file do: it may be built on them.

    Args:
        outcome: what became of the block.
        left: the rows that wait for another word.
    """
    block = outcome.block
    if outcome.status not in {BlockStatus.FAILED, BlockStatus.SKIPPED} or not any(
        row["index"] < block.index and _builds_on(outcome, row) for row in left
    ):
        return outcome
    message = f"Accept or reject the edits of {block.path!r} before it first; it doesn't fit alone."
    return BlockOutcome(
        block,
        BlockStatus.PENDING,
        message,
        is_create=outcome.is_create,
        protected=outcome.protected,
    )


def _builds_on(outcome: BlockOutcome, row: EditResult) -> bool:
    """Tell whether a block that doesn't fit may do so after another one has been carried out."""
    path = outcome.block.path
    if path in {row["file"], row["new_path"]}:
        return outcome.status is BlockStatus.FAILED
    return path.startswith(f"{row['file']}/") or row["file"].startswith(f"{path}/")


def is_pending(row: EditResult) -> bool:
    """Tell whether an edit waits for the user."""
    return row["status"] == "pending"


def is_unprotected(row: EditResult) -> bool:
    """Tell whether an edit waits, and may be accepted with others."""
    return is_pending(row) and not row["protected"]


def is_acceptable(row: EditResult) -> bool:
    """Tell whether an edit may be accepted when it is named."""
    if row["status"] == "suggested":
        return row["error_type"] == ""
    return is_pending(row) or (row["status"] == "failed" and row["correctable"])


def _is_known(_row: EditResult) -> bool:
    return True
