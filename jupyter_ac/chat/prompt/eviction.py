"""Evicts copies of files from the prompt log if sending them again costs less.

There are two occasions, both checked before a question is sent:

- The provider's cache has expired, because nothing was sent for so long. The whole request is paid
  for then, so the shorter one is the cheaper at once: copies of files that are no longer selected
  go, and of files with several copies one goes out, as the file is.
- Talk and copies together have more than `log_trigger_tokens`. All text after the first evicted
  copy is written to the cache again (1.25 of its tokens in place of 0.1), which the shorter log
  saves at 0.1 of the difference a turn. That is done when it at least halves the log: it
  then pays after twelve turns at the latest, mostly much sooner, and can't happen often.

Talk is never touched here: a summary costs a request of its own and loses words. It has its own
trigger, of which `log_trigger_tokens` is an upper bound; when the cache has expired it is compacted
where that pays (`compaction/due.py`).
"""

from collections.abc import Collection
from typing import Final

from jupyter_ac.chat.prompt.context_fitting import Draft, worn
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.ids import RepoPath

_HALF: Final = 2


async def evicted(
    draft: Draft, selected: Collection[RepoPath], *, is_cold: bool
) -> tuple[RepoPath, ...]:
    """Return the files whose copies are to leave the log; mostly none.

    Args:
        draft: makes the prompt without some files' copies.
        selected: the files that the prompt must hold.
        is_cold: the provider's cache has expired; else the log is too long.
    """
    kept = await draft(())
    size = _size(kept)
    best: tuple[RepoPath, ...] = ()
    for gone in worn(kept, selected):
        shorter = _size(await draft(gone))
        if shorter < size and (is_cold or _HALF * shorter <= _size(kept)):
            best, size = gone, shorter
    return best


def _size(prompt: Prompt) -> int:
    """Give the bytes behind the head; the head is the same in all drafts."""
    return sum(block.size_bytes for block in prompt.blocks[len(prompt.head) :])
