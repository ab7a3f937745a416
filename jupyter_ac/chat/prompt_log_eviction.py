"""When copies of files leave the log though there is room: where sending them anew costs less.

Two occasions, both looked at before a question goes out:

- The provider's cache has expired, because nothing was sent for so long. The whole request is paid
  for then, so the shorter one is the cheaper at once: copies of files that are no longer selected
  go, and of files with several copies one goes out, as the file is.
- Talk and copies together have more than `log_trigger_tokens`. What stands behind the first copy
  that goes is written to the cache anew (1.25 of its tokens in place of 0.1), which the shorter
  log earns back at 0.1 of the difference a turn. That is done when it at least halves the log: it
  then pays after twelve turns at the latest, mostly much sooner, and can't happen often.

Talk is never touched here: a summary costs a request of its own and loses words. It has its own
trigger, of which `log_trigger_tokens` is an upper bound; when the cache has expired it is compacted
where that pays (`compaction/plan.py`).
"""

from collections.abc import Collection, Sequence
from typing import Final

from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.assemble import Prompt
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.context_fitting import Draft, worn
from jupyter_ac.chat.prompt.log_removals import CompactedEntry
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.stages import scale_of
from jupyter_ac.chat.turn import Turn
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.client import ModelInfo

MARKED_LIFE_MS: Final = 330_000
"""Where prompts are marked, a cache lives five minutes from its last use; the rest is for doubt."""

OTHER_LIFE_MS: Final = 600_000
"""Where the provider decides by itself, few minutes are usual; some keep longer."""

_HALF: Final = 2


async def worn_out(
    turn: Turn,
    ports: TurnPorts,
    entries: Sequence[CompactedEntry],
    draft: Draft,
    selected: Collection[RepoPath],
) -> tuple[RepoPath, ...]:
    """Return the files whose copies are to leave the log; mostly none.

    Args:
        turn: with the model that is to answer.
        ports: what its stages work with.
        entries: the log as it is.
        draft: makes the prompt without some files' copies.
        selected: the files that the prompt must hold.
    """
    blocks = [block for one in entries for block in (*one.exchange.sent, one.exchange.answer)]
    is_cold = has_expired(turn.session, turn.info, ports.clock())
    limit = ports.log.settings().history_compaction.log_trigger_tokens
    is_long = not is_cold and not await _fits(blocks, limit, turn, ports)
    if not blocks or not (is_cold or is_long):
        return ()
    kept = await draft(())
    size = _size(kept)
    best: tuple[RepoPath, ...] = ()
    for gone in worn(kept, selected):
        shorter = _size(await draft(gone))
        if shorter < size and (is_cold or _HALF * shorter <= _size(kept)):
            best, size = gone, shorter
    return best


def has_expired(session: Session, info: ModelInfo | None, now_ms: int) -> bool:
    """Tell whether the provider's cache of this conversation is gone, as far as that is certain."""
    if info is None:
        return False
    return idle_ms(session, now_ms) >= (MARKED_LIFE_MS if info.takes_cache_marks else OTHER_LIFE_MS)


def idle_ms(session: Session, now_ms: int) -> int:
    """Say for how long nothing was sent; 0 when nothing ever was."""
    sent = [turn for turn in session.turns if turn.sent]
    return now_ms - max(session.log.sent_ms, sent[-1].created_ms) if sent else 0


async def _fits(blocks: Sequence[Block], limit: int, turn: Turn, ports: TurnPorts) -> bool:
    return limit <= 0 or await scale_of(turn, ports).fit(blocks, limit)


def _size(prompt: Prompt) -> int:
    """Give the bytes behind the head; the head is the same in all drafts."""
    return sum(block.size_bytes for block in prompt.blocks[len(prompt.head) :])
