"""The stage that admits a question: stores it, then waits until its prompt can be made."""

import asyncio
import logging
from itertools import takewhile
from typing import Final

from jupyter_ac.chat.model_gateway import AnswerSource
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.records import TurnRecord, TurnState
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.turn.stored_turn import StoredTurn
from jupyter_ac.errors import AcError, Busy, NotReady

log = logging.getLogger(__name__)

START_TIMEOUT_S: Final = 300.0
EARLIER_TIMEOUT_S: Final = 300.0
EARLIER_PAUSE_S: Final = 0.1


async def admit(
    stored: StoredTurn, stream: ActiveStream, ports: TurnPorts, source: AnswerSource
) -> None:
    """Store the question, then wait for the workspace's start and for earlier answers elsewhere.

    Args:
        stored: the turn as it is kept.
        stream: the answer as it is made.
        ports: what the stages work with.
        source: where the answer comes from.

    Raises:
        AlreadyExists: the request id was used before.
        NotReady: the start takes too long, or there is no model.
        Busy: an agent's run is under way in this session elsewhere.
    """
    await stored.keep_question(ports.history)
    async with stored.heartbeat(ports.history):
        await _await_start(stream, ports)
        await ports.models.renew()
        source.require()
        if stored.session.compaction.is_running:
            stream.progress("waiting", "The conversation is being compacted first …")
            await stored.session.compaction.over()
        if stored.is_kept and _is_behind(stored):
            await _await_earlier(stored, stream, ports)


async def _await_start(stream: ActiveStream, ports: TurnPorts) -> None:
    if ports.gate.is_open:
        return
    stream.progress("waiting", "Waiting until the workspace has started …")
    try:
        async with asyncio.timeout(START_TIMEOUT_S):
            await ports.gate.wait()
    except TimeoutError:
        raise NotReady("The workspace has not started; reload the page.") from None


async def _await_earlier(stored: StoredTurn, stream: ActiveStream, ports: TurnPorts) -> None:
    """Let another host finish its answer in this session: the next prompt goes on from it.

    A host that ends without finishing is noticed; one that takes too long is no longer waited for.
    """
    session = stored.session
    _require_no_run(stored)
    stream.progress("waiting", "Another server is still answering in this conversation …")
    end = asyncio.get_running_loop().time() + EARLIER_TIMEOUT_S
    while _is_behind(stored) and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(EARLIER_PAUSE_S)
        try:
            kept = await ports.history.session(session.session_id, unless=session.revision)
        except AcError as error:
            log.warning("the other answer is not waited for: %s", error)
            return
        if kept is not None:
            session.rejoin(kept)
            session.put(stored.record)
            _require_no_run(stored)


def _require_no_run(stored: StoredTurn) -> None:
    """Don't wait for a run, which may itself wait for its user for half an hour."""
    if any(known.run is not None for known in _earlier(stored)):
        raise Busy(
            "An agent's run is under way in this conversation on another server: wait for its end "
            "or stop it there, or begin a new conversation."
        )


def _is_behind(stored: StoredTurn) -> bool:
    """Say whether an earlier answer is still being made, which can only be elsewhere."""
    return bool(_earlier(stored))


def _earlier(stored: StoredTurn) -> list[TurnRecord]:
    mine = stored.record.turn_id
    earlier = takewhile(lambda known: known.turn_id != mine, stored.session.turns)
    return [known for known in earlier if known.state is TurnState.RUNNING]
