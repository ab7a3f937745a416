"""Commits a removal from a session's log by compare-and-swap on the session's revision."""

from collections.abc import Set as AbstractSet
from typing import Final

from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.errors import Conflict

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
