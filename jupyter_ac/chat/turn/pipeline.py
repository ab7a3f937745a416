"""The pipeline of a turn: the one place that defines the order of its stages.

admit → fetch_pages → gather → assemble → fit → allow → stream → edit → act; `edit` may go back to
`gather` for edits that failed, and `act` with the results of tool calls. `record` follows whatever
happened, which `runner` sees to. A new feature is a stage here, or a listener of the event bus.
"""

from contextlib import AsyncExitStack

from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.turn.act import act, begin_run
from jupyter_ac.chat.turn.admit import admit
from jupyter_ac.chat.turn.allow import allow
from jupyter_ac.chat.turn.assemble import assemble
from jupyter_ac.chat.turn.edit import announce_added, edit, retrying
from jupyter_ac.chat.turn.fetch_pages import fetch_pages
from jupyter_ac.chat.turn.fit import fit
from jupyter_ac.chat.turn.gather import gather, gather_again
from jupyter_ac.chat.turn.stream import stream
from jupyter_ac.chat.turn.turn import Turn
from jupyter_ac.chat.writing_turns import WRITING_MODES


async def run(turn: Turn, ports: TurnPorts) -> None:
    """Take a turn through its stages; the first that raises ends it."""
    await admit(turn.stored, turn.context.stream, ports, turn.context.source(ports.models))
    async with AsyncExitStack() as held:
        if turn.context.question.agent in WRITING_MODES:
            await held.enter_async_context(ports.edits.writing.run())
        await fetch_pages(turn.context, turn.stored, ports)
        turn.gathered = await gather(turn.context, ports)
        await begin_run(turn, turn.gathered, ports)
        is_complete = False
        while not is_complete:
            with retrying(turn):
                if turn.next.blocks:
                    turn.gathered = await gather_again(turn.context, turn.gathered, ports)
                before = turn.request
                turn.request = await assemble(turn.context, turn.gathered, turn.next)
                await fit(turn.gathered, turn.request)
                if turn.run is not None and not await allow(turn, turn.run, turn.gathered, before):
                    return
                announce_added(turn)
                await stream(turn, turn.gathered, ports)
            is_complete = await edit(turn, ports) and await act(turn, ports)
