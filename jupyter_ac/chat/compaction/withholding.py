"""Follows the list of excluded files in a session's log: what was sent of them is taken out.

A session's removals record the list that its log was looked through for; while it is the same, and
none of its files was included meanwhile, nothing is looked at, so what the model itself says of
such a file changes nothing again.
"""

from collections.abc import Iterator

from jupyter_ac.chat.compaction.trimming import keep, known_turns
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.excluded_blocks import shows
from jupyter_ac.chat.prompt.log import COPIES
from jupyter_ac.chat.prompt.log_removals import Case, Removal
from jupyter_ac.chat.records import TurnState, now_ms
from jupyter_ac.chat.session import Session
from jupyter_ac.git.excluded_paths import ExcludedPaths
from jupyter_ac.ids import RepoPath


def is_due(session: Session, excluded: ExcludedPaths) -> bool:
    """Tell whether a log has to be looked through before it is sent."""
    last = _last_look(session)
    is_other = last.paths != excluded.paths or bool(_added(last, excluded))
    return is_other and any(turn.state is not TurnState.RUNNING for turn in session.turns)


async def due_removal(
    session: Session, excluded: ExcludedPaths, files: RepositoryFiles
) -> Removal | None:
    """Return what has to be taken out of a log before it is sent; None for nothing.

    Args:
        session: whose log.
        excluded: the files of which nothing is sent.
        files: tells where links lead.
    """
    if not is_due(session, excluded):
        return None
    added = _added(_last_look(session), excluded)
    over = [turn.turn_id for turn in session.turns if turn.state is not TurnState.RUNNING]
    links = await files.links_to(_paths(session), ExcludedPaths(added))
    hidden = ExcludedPaths((*added, *links))
    is_shown = bool(added) and any(shows(block, hidden) for block in _sent(session))
    case: Case = "withhold" if is_shown else "list"
    return Removal(
        case,
        over[-1],
        paths=excluded.paths,
        created_ms=now_ms(),
        number=excluded.number,
        links=links,
    )


async def withhold(session: Session, ports: TurnPorts, own: str = "") -> None:
    """Take out of a session's log, for good, what it says of excluded files.

    Args:
        session: whose log.
        ports: what the stages work with.
        own: as of `trimming.require_same`.

    Raises:
        Conflict: another host goes on with the session.
        AcError: the disk fails.
    """
    removal = await due_removal(session, await ports.files.excluded(), ports.files)
    if removal is not None:
        await keep(session, ports, removal, known_turns(session), own)


def _last_look(session: Session) -> Removal:
    looks = (one for one in reversed(session.log.removals) if one.is_look)
    return next(looks, Removal("list", ""))


def _added(last: Removal, excluded: ExcludedPaths) -> tuple[RepoPath, ...]:
    """Return what was excluded since the last look, or wasn't at any time since."""
    return excluded.new_since(set(last.paths), last.number)


def _paths(session: Session) -> dict[RepoPath, None]:
    """Return the paths of the files of which the log has text, each once."""
    of_files = (block for block in _sent(session) if block.category in COPIES)
    return {block.path: None for block in of_files if block.path is not None}


def _sent(session: Session) -> Iterator[Block]:
    yield from session.log.heads()
    for exchange in session.exchanges:
        yield from exchange.sent
