"""The stage that carries out the tool calls of an answer, and asks again with their results."""

import asyncio

from jupyter_ac.chat.ports import RunRequest, StepOutcome, TurnPorts
from jupyter_ac.chat.prompt.blocks import answer_block, result_block, step_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.records import GAP
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.chat.turn.turn import Gathered, NextRequest, Turn


async def begin_run(turn: Turn, gathered: Gathered, ports: TurnPorts) -> None:
    """Begin the turn's run, if its question wants one."""
    context = turn.context
    turn.run = await ports.agent.begin(
        RunRequest(
            conversation=context.conversation,
            request_id=context.stream.request_id,
            turn_id=turn.record.turn_id,
            mode=context.question.agent,
            info=gathered.model.info,
            log=gathered.log.exchanges,
            stream=context.stream,
        )
    )
    if turn.run is not None:
        turn.next.opening = tuple(turn.run.opening())
        await turn.stored.keep_run(ports.history, turn.run.record())


async def act(turn: Turn, ports: TurnPorts) -> bool:
    """Carry out the calls of the last answer; say whether the turn is complete.

    It isn't when there are results that the model is to be asked with.

    Raises:
        CancelledError: a Stop has come while edits were applied, which it can't break off.
    """
    answers, stream = turn.answers, turn.context.stream
    tracked = answers.tracker.answers[-1]
    if turn.run is None or tracked.reply is None:
        return True
    if turn.run.has_steps and (stream.stopped or stream.interrupted):
        raise asyncio.CancelledError
    async with turn.stored.heartbeat(ports.history):
        outcome = await turn.run.step(tracked.reply, tracked, utf16_length(stream.text))
    if outcome.text:
        has_text = bool(stream.text[tracked.start :].strip())
        answers.add(f"{GAP}{outcome.text}" if has_text else outcome.text)
    if outcome.is_over:
        return True
    await turn.stored.keep_run(ports.history, turn.run.record())
    turn.next = await _next(turn, outcome, ports)
    answers.gap = GAP
    return False


async def _next(turn: Turn, outcome: StepOutcome, ports: TurnPorts) -> NextRequest:
    """Make the request with the results."""
    tracked = turn.answers.tracker.answers[-1]
    reply = tracked.reply
    calls = tuple(call for call, _ in outcome.results if call.call_id)
    exchange = Exchange(
        turn.request.prompt.ask,
        answer_block(turn.context.stream.text[tracked.start : tracked.end]),
        calls,
        reply.thinking if reply is not None and calls else (),
    )
    results = (result_block(call, text) for call, text in outcome.results)
    images = await ports.images.find(outcome.images) if outcome.images else []
    return NextRequest(
        answered=[*turn.next.answered, exchange],
        blocks=(*results, step_block(outcome.closing)),
        images=tuple(path for path in images if path is not None),
        added=turn.next.added,
    )
