"""Which edits in other formats than ours are offered."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from jupyter_ac.chat.edit_blocks.outcomes import BlockOutcome, BlockStatus, ErrorType
from jupyter_ac.chat.edit_blocks.reading.suggestions import Suggestion

_NEARLY = frozenset({ErrorType.ANCHOR_NOT_FOUND, ErrorType.AMBIGUOUS_ANCHOR})


def suggested(found: Sequence[Suggestion], looked: Iterable[BlockOutcome]) -> list[BlockOutcome]:
    """Return the blocks that are offered, with why some of them don't fit.

    Blocks that stand together are offered together as soon as one of them fits. Diffs of which none
    does are quotations, as far as anybody can tell; so is a SEARCH/REPLACE block about no file of
    the repository, or about text that is there already.
    """
    outcomes = {outcome.block.index: outcome for outcome in looked}
    offered: list[BlockOutcome] = []
    for one in found:
        group = [outcomes[block.index] for block in one.blocks]
        if any(_is_offered(outcome, is_diff=one.is_diff) for outcome in group):
            offered += [_as_suggested(outcome) for outcome in group]
    return offered


def _is_offered(outcome: BlockOutcome, *, is_diff: bool) -> bool:
    is_near = outcome.status is BlockStatus.FAILED and outcome.error_type in _NEARLY
    return outcome.status is BlockStatus.PENDING or (is_near and not is_diff)


def _as_suggested(outcome: BlockOutcome) -> BlockOutcome:
    if outcome.status is BlockStatus.ALREADY_APPLIED:
        return outcome
    is_fitting = outcome.status is BlockStatus.PENDING
    why = ErrorType.NONE if is_fitting else outcome.error_type or ErrorType.VALIDATION_ERROR
    return replace(
        outcome,
        status=BlockStatus.SUGGESTED,
        error_type=why,
        message="" if is_fitting else outcome.message,
        correction=None,
    )
