"""The pipeline of a turn: the one place that defines the order of its stages.

admit → fetch_pages → gather → assemble → fit → allow → stream → edit → act; `edit` may go back to
`gather` for edits that failed, and `act` with the results of tool calls. `record` follows whatever
happened, which `runner` sees to. A new feature is a stage here, or a listener of the event bus.
"""

from contextlib import AsyncExitStack
from typing import Final

from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.turn.act import act, begin_run
from jupyter_ac.chat.turn.admit import admit
from jupyter_ac.chat.turn.allow import allow
from jupyter_ac.chat.turn.assemble import assemble
from jupyter_ac.chat.turn.edit import announce_added, edit, retrying
from jupyter_ac.chat.turn.fetch_pages import fetch_pages
from jupyter_ac.chat.turn.fit import fit
from jupyter_ac.chat.turn.gather import gather, gather_again
from jupyter_ac.chat.turn.stream import is_same_list, stream
from jupyter_ac.chat.turn.turn import Gathered, Turn
from jupyter_ac.chat.writing_turns import WRITING_MODES

_MOST_GATHERINGS: Final = 3
"""Of one request, while the list of excluded files changes."""


async def run(turn: Turn, ports: TurnPorts) -> None:
    """Take a turn through its stages; the first that raises ends it."""
    await admit(turn.stored, turn.context.stream, ports, turn.context.source(ports.models))
    async with AsyncExitStack() as held:
        if turn.context.question.agent in WRITING_MODES:
            await held.enter_async_context(ports.edits.writing.run())
        await fetch_pages(turn.context, turn.stored, ports)
        said = len(turn.context.notices)
        turn.gathered = await gather(turn.context, ports)
        await begin_run(turn, turn.gathered, ports)
        is_complete = False
        while not is_complete:
            with retrying(turn):
                if turn.next.blocks:
                    said = len(turn.context.notices)
                    turn.gathered = await gather_again(turn.context, turn.gathered, ports)
                if not await _prepare(turn, turn.gathered, said, ports):
                    return
                announce_added(turn)
                await stream(turn, turn.gathered, ports)
            is_complete = await edit(turn, ports) and await act(turn, ports)


async def _prepare(turn: Turn, gathered: Gathered, said: int, ports: TurnPorts) -> bool:
    """Assemble the next request; False: the run may not send it.

    Files that are excluded while it is made stay out: it is made anew, `stream` refuses the rest.

    Args:
        turn: gets the request, and what it is made of.
        gathered: what it is to be made of.
        said: how many notices the turn had before that was gathered.
        ports: what the stages work with.
    """
    before = turn.request
    for left in reversed(range(_MOST_GATHERINGS)):
        turn.request = await assemble(turn.context, gathered, turn.next)
        await fit(gathered, turn.request)
        if turn.run is not None and not await allow(turn, turn.run, gathered, before):
            return False
        if not left or await is_same_list(gathered, ports):
            break
        del turn.context.notices[said:]
        if turn.next.blocks:
            gathered = await gather_again(turn.context, gathered, ports)
        else:
            gathered = await gather(turn.context, ports)
        turn.gathered = gathered
    return True
