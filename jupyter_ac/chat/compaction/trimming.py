"""Removes copies of files from the prompt log on the user's request."""

from collections.abc import Collection

from jupyter_ac.chat.compaction.commit_removal import keep, known_turns
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.counts import scale_for
from jupyter_ac.chat.prompt.log import COPIES
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import now_ms
from jupyter_ac.chat.session import Session
from jupyter_ac.ids import RepoPath


async def trim(
    conversation: Conversation, ports: TurnPorts, paths: Collection[RepoPath] | None
) -> int:
    """Take files out of the log for good, and return the tokens that this saves.

    A selected file goes out once more with the next question, as it is then.

    Args:
        conversation: whose log.
        ports: what the stages work with.
        paths: the files; None for all that aren't selected.

    Raises:
        Busy: an answer is being made.
        Conflict: another host has just added to the session.
        AcError: the disk fails.
    """
    conversation.require_idle("taking files out of the log")
    session = conversation.session
    blocks = _about_files(session)
    wanted = set(paths) if paths is not None else set(blocks) - set(conversation.selection)
    gone = tuple(path for path in blocks if path in wanted)
    if not gone:
        return 0
    last = session.turns[-1].turn_id
    removal = Removal("trim", last, paths=gone, created_ms=now_ms())
    await keep(session, ports, removal, known_turns(session))
    await ports.models.renew()
    freed = [block for path in gone for block in blocks[path]]
    return await scale_for(ports.counts, ports.models.choice()).total(freed)


def _about_files(session: Session) -> dict[RepoPath, list[Block]]:
    """Gather what the log holds about each file of which it has a copy."""
    found: dict[RepoPath, list[Block]] = {}
    with_copies: set[RepoPath] = set()
    for exchange in session.exchanges:
        for block in exchange.about_files:
            if block.path is not None:
                found.setdefault(block.path, []).append(block)
                if block.category in COPIES:
                    with_copies.add(block.path)
    return {path: blocks for path, blocks in found.items() if path in with_copies}
