"""Removes copies of files from the prompt log on the user's request.

A removal is committed by compare-and-swap on the session's revision.
"""

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import Final

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.counts import scale_for
from jupyter_ac.chat.prompt.log import COPIES
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import TurnState, now_ms
from jupyter_ac.chat.session import Session
from jupyter_ac.errors import Conflict
from jupyter_ac.ids import RepoPath

_ATTEMPTS: Final = 10
_ELSEWHERE: Final = "Another Jupyter server goes on with this conversation."


def known_turns(session: Session) -> AbstractSet[str]:
    """Name the turns that are over, which is what a removal is made for."""
    return {turn.turn_id for turn in session.turns if turn.state is not TurnState.RUNNING}


def require_same(session: Session, known: AbstractSet[str], own: str = "") -> None:
    """Refuse a removal when another host has sent, or will send, what it knows nothing of.

    Args:
        session: as it is now.
        known: the turns that it was made for.
        own: request id of the question that waits here until the removal is made. One that was
            stopped while it waited has sent nothing.

    Raises:
        Conflict: there is such a turn.
    """
    for turn in session.turns:
        is_ours = turn.turn_id in known or turn.request_id == own
        if not is_ours and (turn.state is TurnState.RUNNING or turn.sent):
            raise Conflict(_ELSEWHERE)


async def keep(
    session: Session,
    ports: TurnPorts,
    removal: Removal,
    known: AbstractSet[str],
    own: str = "",
) -> None:
    """Take something out of a session's log, on disk first.

    What else has changed in the session meanwhile, such as a note or a question that was asked
    here, is no obstacle.

    Raises:
        Conflict: another host goes on with the session.
        AcError: the disk fails.
    """
    for _ in range(_ATTEMPTS):
        require_same(session, known, own)
        revision = session.revision
        try:
            await ports.log.removals.keep(session.session_id, removal, revision)
        except Conflict:
            await _read_again(session, ports)
            continue
        session.revision = max(session.revision, revision + 1)
        if removal not in session.log.removals:
            session.log.remove(removal)
        return
    raise Conflict(_ELSEWHERE)


async def _read_again(session: Session, ports: TurnPorts) -> None:
    """Take over what the disk has; a question that is just being asked here stays."""
    kept = await ports.history.session(session.session_id)
    if kept is None:
        raise Conflict("The conversation is not in the history any more.")
    running = [turn for turn in session.turns if turn.state is TurnState.RUNNING]
    session.rejoin(kept)
    known = {turn.turn_id for turn in session.turns}
    for turn in running:
        if turn.turn_id not in known:
            session.put(turn)


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
    wanted = set(paths) if paths is not None else set(blocks) - await _in_use(conversation, ports)
    gone = tuple(path for path in blocks if path in wanted)
    if not gone:
        return 0
    last = session.turns[-1].turn_id
    removal = Removal("trim", last, paths=gone, created_ms=now_ms())
    await keep(session, ports, removal, known_turns(session))
    await ports.models.renew()
    freed = [block for path in gone for block in blocks[path]]
    return await scale_for(ports.counts, ports.models.choice()).total(freed)


async def _in_use(conversation: Conversation, ports: TurnPorts) -> set[RepoPath]:
    """Return the selected files, the pages that are included, and the parts of a review."""
    pages = (RepoPath(page.url) for page in conversation.pages if page.is_sent)
    review = await ports.review.read(conversation.selection, 0)
    parts = (part.path for part in (*review.parts, *review.diffs))
    return {*conversation.selection, *pages, *parts}


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
