"""Decides which copies of files a compaction retains: those at the beginning of the log.

Text before the first difference is read from the provider's cache at a tenth of its price; all text
after it is written at one and a quarter. Files are mostly much longer than the talk that a
compaction removes, so sending them all again would cost more than it saves for a long time. The
head and the files of the first message therefore stay, byte for byte, when

- the provider's cache still holds them,
- more than half of those files' text is of use: of files that are selected, and the copy from which
  differences lead to their present text,
- the map in the head is still about right: at most a tenth of the lines of a new one are not in it.

Otherwise nothing stays: head and map are rebuilt, and files are sent with their present text.
"""

from collections.abc import Collection, Sequence
from typing import Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.last_request import has_expired
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.prompt.log import leading_copies, standing
from jupyter_ac.chat.prompt.log_removals import CompactedEntry
from jupyter_ac.chat.prompt.maps import map_blocks
from jupyter_ac.chat.session import Session
from jupyter_ac.ids import RepoPath

_HALF: Final = 2
_TENTH: Final = 10


async def copies_to_keep(
    conversation: Conversation, session: Session, ports: TurnPorts
) -> tuple[RepoPath, ...]:
    """Name the files whose copies a compaction of this session is to leave where they stand."""
    choice = ports.models.choice()
    info = await ports.models.info(choice) if choice is not None else None
    kept = useful_beginning(session.log.entries(), conversation.selection)
    if choice is None or not kept or has_expired(session, info, ports.clock()):
        return ()
    mode = conversation.focus.mode
    head = session.log.frozen_head(ports.profile_for(choice, mode))
    found = await ports.maps.head(mode, 0.0)
    fresh = map_blocks(mode, found.legend, found.text) if found is not None else ()
    return kept if head and is_about_right(head, fresh) else ()


def useful_beginning(
    entries: Sequence[CompactedEntry], selected: Collection[RepoPath]
) -> tuple[RepoPath, ...]:
    """Name the files that the log begins with; none when they are mostly of no use."""
    copies = leading_copies(entries[0].exchange) if entries else ()
    seen = standing(entry.exchange for entry in entries)
    used = 0
    for block in copies:
        copy = seen.get(block.path) if block.path is not None else None
        if copy is not None and copy.whole == block and block.path in selected:
            used += block.size_bytes
    if _HALF * used <= sum(block.size_bytes for block in copies):
        return ()
    return tuple(block.path for block in copies if block.path is not None)


def is_about_right(head: Sequence[Block], fresh: Sequence[Block]) -> bool:
    """Tell whether the map in a head may stay beside the one that would be made."""
    known, wanted = _map_lines(head), _map_lines(fresh)
    return _TENTH * len(wanted - known) <= len(wanted)


def _map_lines(blocks: Sequence[Block]) -> set[str]:
    maps = (block.text for block in blocks if block.category is Category.MAP)
    return {line for text in maps for line in text.splitlines()}
