"""The stages of a turn up to the prompt: admit, gather, assemble, fit.

`gather` and `assemble` are also what a preview runs, so that what is shown is what is sent.
"""

import asyncio
import logging
from typing import Final

from jupyter_ac.chat.budget import require_fit
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.assemble import Prompt
from jupyter_ac.chat.prompt.blocks import Category, question_block, shown_path
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.cut import Cut, cut_files
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.prompt.window import Selected, choose_window
from jupyter_ac.chat.turn import Turn
from jupyter_ac.errors import AcError, AlreadyExists, Conflict, NotReady
from jupyter_ac.models.tokens import Encoding, encoding_for

log = logging.getLogger(__name__)

START_TIMEOUT_S: Final = 300.0

_ATTEMPTS: Final = 3
_NAMED: Final = 5
_DEFAULT_ENCODING: Final = Encoding("cl100k_base", estimate=True)


async def admit(turn: Turn, ports: TurnPorts) -> None:
    """Keep the question, then wait until the workspace has started.

    Raises:
        AlreadyExists: the request id was used before.
        NotReady: the start takes too long, or there is no model.
    """
    await keep_question(turn, ports)
    if not ports.gate.is_open:
        turn.stream.progress("waiting", "Waiting until the workspace has started …")
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                await ports.gate.wait()
        except TimeoutError:
            raise NotReady("The workspace has not started; reload the page.") from None
    ports.models.require()


async def gather(turn: Turn, ports: TurnPorts) -> None:
    """Find out which model answers, and read the selected files."""
    await find_model(turn, ports)
    turn.reading = await ports.files.read(turn.conversation.selection)
    turn.notices += [problem.message for problem in turn.reading.problems]


async def assemble(turn: Turn, ports: TurnPorts) -> None:
    """Put the prompt together: system, log, news about files, question."""
    conversation, limits, scale = turn.conversation, turn.profile, scale_of(turn, ports)
    selected = Selected(
        [file.block for file in turn.reading.files],
        {problem.path for problem in turn.reading.problems},
    )
    window = await choose_window(conversation.exchanges, selected, limits, scale)
    cut = await cut_files(window.news, limits.file_tokens, scale)
    question = (question_block(turn.question),) if turn.question else ()
    turn.prompt = Prompt(
        head=conversation.head(limits),
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
    turn.choice = ports.models.choice()
    if turn.choice is not None:
        turn.info = await ports.models.info(turn.choice)
        turn.profile = profile(turn.choice.profile)


def encoding_of(turn: Turn) -> Encoding:
    """Return the encoding that counts for the turn's model."""
    return encoding_for(turn.choice.model) if turn.choice is not None else _DEFAULT_ENCODING


def scale_of(turn: Turn, ports: TurnPorts) -> Scale:
    """Return what weighs blocks for the turn's model."""
    return Scale(ports.counts, encoding_of(turn).name)


async def keep_question(turn: Turn, ports: TurnPorts) -> None:
    """Store the user's text once, however often this is asked for and the wait is cancelled.

    Without a working disk the talk goes on, and says so.

    Raises:
        AlreadyExists: the request id was used before.
    """
    if turn.keeping is None:
        turn.keeping = asyncio.create_task(_keep_question(turn, ports))
    await asyncio.shield(turn.keeping)


async def _keep_question(turn: Turn, ports: TurnPorts) -> None:
    try:
        await _begin(turn, ports)
    except AlreadyExists:
        raise
    except AcError as error:
        log.warning("the turn is not kept: %s", error)
        turn.notices.append(f"This turn is not kept in the history: {error}")
    else:
        turn.is_kept = True


async def _begin(turn: Turn, ports: TurnPorts) -> None:
    """Add the turn to the session, as other hosts may have left it meanwhile."""
    conversation = turn.conversation
    for _ in range(_ATTEMPTS):
        try:
            await ports.history.begin(conversation.place, turn.record)
        except Conflict:
            session = await ports.history.session(conversation.session_id)
            if session is None:
                conversation.revision = 0
            else:
                conversation.adopt(session)
                conversation.put(turn.record)
        else:
            conversation.revision += 1
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
