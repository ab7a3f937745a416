"""Retries failed edits: which blocks, the prompt to the model, and the one offered to the user."""

from collections.abc import Iterable, Sequence
from typing import Final

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome, EditBlock, Near
from jupyter_ac.edit_rows import BlockStatus, EditResult, ErrorType

MOST_RETRIES: Final = 2
NEAR_LINES: Final = 30
NEAR_CHARS: Final = 3000
MOST_NEAR_CHARS: Final = 12_000
MAX_NAMED: Final = 50
"""Failed edits that are named one by one."""

_COMPARED_LINES: Final = 1_000_000
"""Lines of failed and later blocks that are compared in all."""

_NO_PATH: Final = "a block without a path"
_RULES: Final = (
    "Send only the blocks for these edits again, in the same format, and nothing that was applied. "
    "The old text must be whole lines, copied exactly from the current file, and occur there once."
)


def to_redo(outcomes: Iterable[BlockOutcome]) -> list[BlockOutcome]:
    """Choose what the model can do better when it is asked again.

    Not what fits with another indentation: that costs a click, and no request.
    """
    return [
        one for one in outcomes if one.is_open and not one.is_withheld and one.correction is None
    ]


def retry_message(failed: Sequence[BlockOutcome]) -> str:
    """Tell the model which of its edits did not come about, why, and what the file holds there."""
    rest = MOST_NEAR_CHARS
    parts = ["Some of your edits were not applied:"]
    for number, outcome in enumerate(failed[:MAX_NAMED], 1):
        parts.append(f"{number}. {outcome.block.path or _NO_PATH}: {_reason(outcome)}")
        for place in outcome.around:
            shown = _shown(place)
            if len(shown) <= rest:
                rest -= len(shown)
                parts.append(shown)
    if len(failed) > MAX_NAMED:
        parts.append(f"… and {len(failed) - MAX_NAMED} more; begin with these.")
    return "\n".join([*parts, "", _RULES])


def retry_prompt(rows: Iterable[EditResult], auto_added: Sequence[str]) -> str:
    """Write what the user may send for the edits that failed; "" when none did."""
    left = [row for row in rows if not (row["redone"] or row["correctable"])]
    left = [row for row in left if not _waits_for_tick(row)]
    added = _names(row for row in left if row["status"] == "not_in_context")
    failed = [row for row in left if row["status"] == "failed"]
    ambiguous = _names(_of_type(failed, ErrorType.AMBIGUOUS_ANCHOR))
    missed = _names(_of_type(failed, ErrorType.ANCHOR_NOT_FOUND))
    absent = _names(_of_type(failed, ErrorType.FILE_NOT_FOUND))
    others = _reasons(_of_type(failed, ErrorType.VALIDATION_ERROR, ErrorType.WRITE_ERROR))
    parts = []
    if ambiguous:
        parts.append(
            "The old text of these edits occurs more than once; "
            "send them again with more unique lines around it:\n" + _bullets(ambiguous)
        )
    if missed:
        parts.append(
            "The old text of these edits is not in the file; "
            "read the file's current text first, then send them again:\n" + _bullets(missed)
        )
    if absent:
        parts.append(
            "These files do not exist; "
            "name the right file, or leave the old text empty to make it:\n" + _bullets(absent)
        )
    if others:
        parts.append(
            "These edits were not carried out; "
            "see to the reason, then send them again:\n" + _bullets(others)
        )
    if added:
        parts.append(
            "These files are in the context "
            + ("as of now" if set(added) & set(auto_added) else "already")
            + "; send their edits again:\n"
            + _bullets(added)
        )
    return "\n\n".join(parts)


def redone(failed: Sequence[BlockOutcome], later: Iterable[EditBlock]) -> dict[int, int]:
    """Say which failed blocks have another block in their place, and which, by index.

    Each later block replaces one of the same file, or else one without a path: the one that shares
    most of its new lines. A longer block replaces all whose new lines it has. For a file that was
    not in the prompt, any block replaces all. Of very many blocks the first lines are compared.
    """
    found: dict[int, int] = {}
    blocks = list(later)
    most = max(1, _COMPARED_LINES // max(1, len(failed) * len(blocks)))
    left = [(one, frozenset(one.block.new[:most])) for one in failed]
    for block in blocks:
        new = frozenset(block.new[:most])
        same = [each for each in left if each[0].block.path == block.path]
        same = same or [each for each in left if not each[0].block.path]
        taken = [max(same, key=lambda each: len(new & each[1]))] if same else []
        taken += [each for each in left if _is_within(*each, block, new)]
        for each in taken:
            found[each[0].block.index] = block.index
        left = [each for each in left if each[0].block.index not in found]
    return found


def _waits_for_tick(row: EditResult) -> bool:
    return row["status"] == "not_in_context" and row.get("withheld", False)


def _is_within(
    failed: BlockOutcome, lines: frozenset[str], later: EditBlock, new: frozenset[str]
) -> bool:
    """Tell whether a later block, with these new lines, has taken in a failed one with those."""
    if failed.block.path != later.path:
        return False
    is_part = bool(lines) and len(failed.block.new) < len(later.new) and lines <= new
    return is_part or failed.status is BlockStatus.NOT_IN_CONTEXT


def _reason(outcome: BlockOutcome) -> str:
    if outcome.status is BlockStatus.NOT_IN_CONTEXT:
        return "you had not seen this file; from here on it is in the context."
    return outcome.message or outcome.error_type.value


def _shown(near: Near) -> str:
    lines = near.text[:NEAR_LINES]
    last = near.line + len(lines) - 1
    text = "\n".join(lines)[:NEAR_CHARS]
    return f"The file has here (lines {near.line} to {last}):\n{text}"


def _of_type(rows: Iterable[EditResult], *error_types: ErrorType) -> list[EditResult]:
    return [row for row in rows if row["error_type"] in error_types]


def _names(rows: Iterable[EditResult]) -> list[str]:
    return list(dict.fromkeys(row["file"] for row in rows))


def _reasons(rows: Iterable[EditResult]) -> list[str]:
    return list(dict.fromkeys(f"{row['file'] or _NO_PATH}: {row['message']}" for row in rows))


def _bullets(paths: Sequence[str]) -> str:
    more = [f"- … and {len(paths) - MAX_NAMED} more"] if len(paths) > MAX_NAMED else []
    return "\n".join([*(f"- {path}" for path in paths[:MAX_NAMED]), *more])
