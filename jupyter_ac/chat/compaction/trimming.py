"""Takes copies of files out of the log: when the user says so, and when a prompt needs the room."""

import logging
from collections.abc import Collection

from jupyter_ac.chat.compaction.log_removal import keep, known_turns
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.log import COPIES
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import now_ms
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.stages import find_model, scale_of
from jupyter_ac.chat.turn import Turn
from jupyter_ac.errors import AcError
from jupyter_ac.ids import RepoPath

log = logging.getLogger(__name__)


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
    turn = Turn.of(conversation, "preview", "")
    await find_model(turn, ports)
    freed = [block for path in gone for block in blocks[path]]
    return await scale_of(turn, ports).total(freed)


async def keep_trim(turn: Turn, ports: TurnPorts) -> None:
    """Take out of the log what the turn's prompt had no room for.

    A disk that fails costs no more than that it is taken out again after a restart.
    """
    if turn.trim is None:
        return
    removal, turn.trim = turn.trim, None
    try:
        if turn.is_kept:
            # Whoever has begun a turn meanwhile waits for this one's end and then reads the log.
            await ports.log.removals.keep(turn.session.session_id, removal, None)
            turn.session.revision += 1
    except AcError as error:
        log.warning("a shortened log is not kept: %s", error)
    turn.session.log.remove(removal)


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
