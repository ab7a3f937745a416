"""The stage that carries out the tool calls of an answer, and asks again with their results."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from jupyter_ac.chat.compaction.running import RunLog, shorten_run
from jupyter_ac.chat.ports import RunRequest, ShortenedRun, StepOutcome, TurnPorts
from jupyter_ac.chat.prompt.blocks import answer_block, result_block, step_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.records import GAP
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.chat.turn.turn import Gathered, NextRequest, Turn
from jupyter_ac.models.providers import reasoning_family

_SHORTENED: Final = (
    "The run nearly filled what the model takes: its first steps are sent as a summary from here "
    "on. Everything stays in the history."
)


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
            shorten=partial(_shorten, turn, ports),
        )
    )
    # The first run of a session fixes its tools.
    tools = ports.agent.tools(context.session, context.question.agent, gathered.model.info)
    turn.gathered = replace(gathered, tools=tools)
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
    exchange = _last_exchange(turn, [call for call, _ in outcome.results])
    results = (result_block(call, text) for call, text in outcome.results)
    images = await ports.images.find(outcome.images) if outcome.images else []
    return NextRequest(
        answered=[*turn.next.answered, exchange],
        blocks=(*results, step_block(outcome.closing)),
        images=tuple(path for path in images if path is not None),
        added=turn.next.added,
    )


def _last_exchange(turn: Turn, calls: Sequence[ToolCall]) -> Exchange:
    """Return the last request and its answer, with the calls that have results."""
    tracked = turn.answers.tracker.answers[-1]
    named = tuple(call for call in calls if call.call_id)
    return Exchange(
        turn.request.prompt.ask,
        answer_block(turn.context.stream.text[tracked.start : tracked.end]),
        named,
        tracked.reply.thinking if tracked.reply is not None and named else (),
        reasoning_family(turn.record.model) if named else "",
    )


async def _shorten(
    turn: Turn, ports: TurnPorts, calls: Sequence[ToolCall], least_tokens: int
) -> ShortenedRun | None:
    """Shorten the run's log before the results of these calls."""
    context = turn.context
    context.stream.progress("waiting", "Summarizing the run so far …")
    exchanges = [*turn.next.answered, _last_exchange(turn, calls)]
    log = RunLog(turn.record, exchanges, len(turn.answers.tracker.answers))
    done = await shorten_run(context.conversation, log, least_tokens, ports)
    if done is None:
        return None
    shortened, left = done
    turn.next.answered = left[:-1]
    # Its answer is put behind these; its question is the one that stays before it.
    turn.request = replace(turn.request, prompt=replace(turn.request.prompt, ask=left[-1].sent))
    context.notices.append(_SHORTENED)
    return shortened
