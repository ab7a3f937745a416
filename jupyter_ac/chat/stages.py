"""The stages of a turn before and behind `assemble`: admit, gather, fit.

`gather` and `assemble` are also what a preview runs, so that what is shown is what is sent.
"""

import asyncio
import logging
from itertools import takewhile
from typing import Final

from jupyter_ac.chat.mapping import gather_maps
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.budget import require_fit
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.turn import Turn
from jupyter_ac.chat.turn_heartbeat import kept_alive
from jupyter_ac.errors import AcError, AlreadyExists, Conflict, NotReady
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.tokens import Encoding, encoding_for

log = logging.getLogger(__name__)

START_TIMEOUT_S: Final = 300.0
EARLIER_TIMEOUT_S: Final = 300.0
EARLIER_PAUSE_S: Final = 0.1

TURN_UNKEPT: Final = "This turn is not kept in the history"
PROMPT_UNKEPT: Final = "This prompt is not kept in the history"

EARLIER_LOST: Final = (
    "The history was deleted while it was open: what was said here before is only on this page, "
    "until the server ends. Copy what you need."
)

_UNKEPT: Final = (TURN_UNKEPT, PROMPT_UNKEPT)
_ATTEMPTS: Final = 10
_DEFAULT_ENCODING: Final = Encoding("cl100k_base", estimate=True)


async def admit(turn: Turn, ports: TurnPorts) -> None:
    """Keep the question, then wait for the workspace's start and for earlier answers elsewhere.

    Raises:
        AlreadyExists: the request id was used before.
        NotReady: the start takes too long, or there is no model.
    """
    await keep_question(turn, ports)
    async with kept_alive(turn, ports):
        await _await_start(turn, ports)
        await ports.models.renew()
        ports.models.require()
        await _await_compaction(turn)
        await _await_earlier(turn, ports)


async def gather(turn: Turn, ports: TurnPorts) -> None:
    """Find out which model answers, read the selected files, and ask for maps."""
    await find_model(turn, ports)
    await asyncio.gather(read_files(turn, ports), gather_maps(turn, ports, scale_of(turn, ports)))


async def read_files(turn: Turn, ports: TurnPorts) -> None:
    """Read the selected files as they are at this moment."""
    turn.reading = await ports.files.read(turn.conversation.selection)
    said = set(turn.notices)
    messages = [problem.message for problem in turn.reading.problems]
    turn.notices += [message for message in messages if message not in said]


async def fit(turn: Turn, ports: TurnPorts) -> None:
    """Refuse a prompt that is longer than the model takes.

    Raises:
        ProviderContext: it is.
    """
    if turn.info is not None:
        await require_fit(turn.prompt, turn.info, scale_of(turn, ports), len(turn.pictures))


async def find_model(turn: Turn, ports: TurnPorts) -> None:
    """Write into the turn which model answers and how its prompts are made."""
    await ports.models.renew()
    turn.choice = ports.models.choice()
    if turn.choice is not None:
        turn.info = await ports.models.info(turn.choice)
        turn.profile = ports.profile_for(turn.choice, turn.conversation.focus.mode)


def encoding_of(turn: Turn) -> Encoding:
    """Return the encoding that counts for the turn's model."""
    return encoding_of_model(turn.choice)


def encoding_of_model(choice: ModelChoice | None) -> Encoding:
    """Return the encoding that counts for a model, or when there is none."""
    return encoding_for(choice.model) if choice is not None else _DEFAULT_ENCODING


def scale_of(turn: Turn, ports: TurnPorts) -> Scale:
    """Return what weighs blocks for the turn's model."""
    return Scale(ports.counts, encoding_of(turn).name)


async def _await_start(turn: Turn, ports: TurnPorts) -> None:
    if ports.gate.is_open:
        return
    turn.stream.progress("waiting", "Waiting until the workspace has started …")
    try:
        async with asyncio.timeout(START_TIMEOUT_S):
            await ports.gate.wait()
    except TimeoutError:
        raise NotReady("The workspace has not started; reload the page.") from None


async def _await_earlier(turn: Turn, ports: TurnPorts) -> None:
    """Let another host finish its answer in this session: the next prompt goes on from it.

    A host that ends without finishing is noticed; one that takes too long is no longer waited for.
    """
    session = turn.session
    if not turn.is_kept or not _is_behind(turn):
        return
    turn.stream.progress("waiting", "Another server is still answering in this conversation …")
    end = asyncio.get_running_loop().time() + EARLIER_TIMEOUT_S
    while _is_behind(turn) and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(EARLIER_PAUSE_S)
        try:
            kept = await ports.history.session(session.session_id, unless=session.revision)
        except AcError as error:
            log.warning("the other answer is not waited for: %s", error)
            return
        if kept is not None:
            session.rejoin(kept)
            session.put(turn.record)


async def _await_compaction(turn: Turn) -> None:
    """Let the compaction of this conversation come to its end, whatever that is."""
    if turn.session.compaction.is_running:
        turn.stream.progress("waiting", "The conversation is being compacted first …")
        await turn.session.compaction.over()


def _is_behind(turn: Turn) -> bool:
    """Say whether an earlier answer is still being made, which can only be elsewhere."""
    earlier = takewhile(lambda known: known.turn_id != turn.record.turn_id, turn.session.turns)
    return any(known.state is TurnState.RUNNING for known in earlier)


async def keep_question(turn: Turn, ports: TurnPorts) -> None:
    """Store the user's text once, however often this is asked for and the wait is cancelled.

    Without a working disk the talk goes on, and says so.

    Raises:
        AlreadyExists: the request id was used before.
    """
    if turn.keeping is None:
        turn.keeping = asyncio.create_task(_keep_question(turn, ports))
    await asyncio.shield(turn.keeping)


async def keep_question_again(turn: Turn, ports: TurnPorts) -> None:
    """Store a turn that the disk doesn't have, and take back what was said about that.

    Raises:
        AlreadyExists: the request id was used before.
    """
    turn.keeping = None
    turn.is_kept = False
    turn.notices = [notice for notice in turn.notices if not notice.startswith(_UNKEPT)]
    await keep_question(turn, ports)


async def _keep_question(turn: Turn, ports: TurnPorts) -> None:
    try:
        await _begin(turn, ports)
    except AlreadyExists:
        raise
    except AcError as error:
        log.warning("the turn is not kept: %s", error)
        turn.notices.append(f"{TURN_UNKEPT}: {error}")
    else:
        turn.is_kept = True
    finally:
        turn.stream.asked.set()


async def _begin(turn: Turn, ports: TurnPorts) -> None:
    """Add the turn to the session, as other hosts may have left it meanwhile."""
    session = turn.session
    for _ in range(_ATTEMPTS):
        try:
            await ports.history.begin(turn.conversation.place, turn.record)
        except Conflict:
            kept = await ports.history.session(session.session_id)
            if kept is None:
                session.revision = 0
                if any(each.turn_id != turn.record.turn_id for each in session.turns):
                    turn.notices.append(EARLIER_LOST)
            else:
                session.rejoin(kept)
                session.put(turn.record)
        else:
            session.revision += 1
            return
    raise Conflict("Another Jupyter server keeps writing to this conversation.")
