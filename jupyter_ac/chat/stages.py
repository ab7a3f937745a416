"""The stages of a turn up to the prompt: admit, gather, assemble, fit.

`gather` and `assemble` are also what a preview runs, so that what is shown is what is sent.
"""

import asyncio
import logging
from itertools import takewhile
from typing import Final

from jupyter_ac.chat.alive import kept_alive
from jupyter_ac.chat.budget import require_fit
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.assemble import Prompt
from jupyter_ac.chat.prompt.blocks import Category, question_block, shown_path
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.cut import Cut, cut_files
from jupyter_ac.chat.prompt.window import Selected, choose_window
from jupyter_ac.chat.records import State
from jupyter_ac.chat.turn import Turn
from jupyter_ac.errors import AcError, AlreadyExists, Conflict, NotReady
from jupyter_ac.models.tokens import Encoding, encoding_for

log = logging.getLogger(__name__)

START_TIMEOUT_S: Final = 300.0
EARLIER_TIMEOUT_S: Final = 300.0
EARLIER_PAUSE_S: Final = 0.1

TURN_UNKEPT: Final = "This turn is not kept in the history"
PROMPT_UNKEPT: Final = "This prompt is not kept in the history"

_UNKEPT: Final = (TURN_UNKEPT, PROMPT_UNKEPT)
_ATTEMPTS: Final = 10
_NAMED: Final = 5
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
        await _await_earlier(turn, ports)


async def gather(turn: Turn, ports: TurnPorts) -> None:
    """Find out which model answers, and read the selected files."""
    await find_model(turn, ports)
    turn.reading = await ports.files.read(turn.conversation.selection)
    turn.notices += [problem.message for problem in turn.reading.problems]


async def assemble(turn: Turn, ports: TurnPorts) -> None:
    """Put the prompt together: system, log, news about files, question."""
    session, limits, scale = turn.session, turn.profile, scale_of(turn, ports)
    selected = Selected(
        [file.block for file in turn.reading.files],
        {problem.path for problem in turn.reading.problems},
    )
    window = await choose_window(session.exchanges, selected, limits, scale)
    cut = await cut_files(window.news, limits.file_tokens, scale)
    question = (question_block(turn.question),) if turn.question else ()
    turn.prompt = Prompt(
        head=session.head(limits),
        past=window.past,
        carried=window.carried,
        ask=(*cut.blocks, *question),
    )
    turn.notices += _about_files(turn, cut)


async def fit(turn: Turn, ports: TurnPorts) -> None:
    """Refuse a prompt that is longer than the model takes.

    Raises:
        ProviderContext: it is.
    """
    if turn.info is not None:
        await require_fit(turn.prompt, turn.info, scale_of(turn, ports))


async def find_model(turn: Turn, ports: TurnPorts) -> None:
    """Write into the turn which model answers and how its prompts are made."""
    await ports.models.renew()
    turn.choice = ports.models.choice()
    if turn.choice is not None:
        turn.info = await ports.models.info(turn.choice)
        turn.profile = ports.profile_for(turn.choice)


def encoding_of(turn: Turn) -> Encoding:
    """Return the encoding that counts for the turn's model."""
    return encoding_for(turn.choice.model) if turn.choice is not None else _DEFAULT_ENCODING


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


def _is_behind(turn: Turn) -> bool:
    """Say whether an earlier answer is still being made, which can only be elsewhere."""
    earlier = takewhile(lambda known: known.turn_id != turn.record.turn_id, turn.session.turns)
    return any(known.state is State.RUNNING for known in earlier)


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
            else:
                session.rejoin(kept)
                session.put(turn.record)
        else:
            session.revision += 1
            return
    raise Conflict("Another Jupyter server keeps writing to this conversation.")


def _about_files(turn: Turn, cut: Cut) -> list[str]:
    """Say what the user should know of the files that go out in this turn."""
    sending = {block.path for block in turn.sent if block.category is Category.FILE}
    secrets = [
        f"{shown_path(file.path)}: {warning}"
        for file in turn.reading.files
        if file.path in sending
        for warning in file.warnings
    ]
    notices = list(secrets)
    if cut.shortened:
        notices.append(f"Cut for this small model: {_listed(cut.shortened)}.")
    if cut.left_out:
        notices.append(f"Left out, no room in this small model: {_listed(cut.left_out)}.")
    return notices


def _listed(paths: tuple[str, ...]) -> str:
    shown = ", ".join(shown_path(path) for path in paths[:_NAMED])
    return shown if len(paths) <= _NAMED else f"{shown} and {len(paths) - _NAMED} more"
