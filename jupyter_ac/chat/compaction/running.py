"""Shortens the log of a running agent's run, between two of its steps.

All that was said before the run and its first steps are replaced by a summary, pinned turns apart;
the question of the run, and the newest steps as they were sent, stay behind it. The head stays too,
so that only what comes after it is written to the provider's cache again. Nothing is stored before
all is done.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_ac.chat.compaction.compactor import copies_to_keep
from jupyter_ac.chat.compaction.due import (
    LEAST_SUMMARY,
    CompactionLimits,
    TalkExchange,
    said_in,
    sizes_of,
)
from jupyter_ac.chat.compaction.summarizing import summarize_start
from jupyter_ac.chat.compaction.trimming import keep, known_turns
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import ShortenedRun, TurnPorts
from jupyter_ac.chat.prompt.context_fitting import input_limit
from jupyter_ac.chat.prompt.counts import scale_for
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.log_removals import CompactedEntry, Removal, shorten
from jupyter_ac.chat.prompt.turn_marks import pinned_in
from jupyter_ac.chat.records import TurnRecord, now_ms
from jupyter_ac.errors import AcError

log = logging.getLogger(__name__)

_HALF = 2


@dataclass(frozen=True, slots=True)
class RunLog:
    """The log of a run between two steps.

    Attributes:
        turn: that the run is.
        exchanges: of the run as they go out, the last with the calls whose results follow.
        answers: how many the run has, of which `exchanges` may have fewer.
    """

    turn: TurnRecord
    exchanges: Sequence[Exchange]
    answers: int


async def shorten_run(
    conversation: Conversation, run: RunLog, least_tokens: int, ports: TurnPorts
) -> tuple[ShortenedRun, list[Exchange]] | None:
    """Shorten a run's log; return what that took, and the run's exchanges that are left.

    Args:
        conversation: of the run.
        run: its log.
        least_tokens: that must be freed, else nothing is done.
        ports: what the stages of a turn work with.

    Returns:
        None when compaction is switched off, too little would be freed, or the model for side tasks
        or the disk has failed.
    """
    try:
        return await _shorten(conversation, run, least_tokens, ports)
    except AcError as error:
        log.warning("the log of a run could not be shortened: %s", error)
        return None


async def _shorten(
    conversation: Conversation, run: RunLog, least_tokens: int, ports: TurnPorts
) -> tuple[ShortenedRun, list[Exchange]] | None:
    session, choice = conversation.session, ports.models.require()
    settings = ports.log.settings().history_compaction
    limits = CompactionLimits.of(settings, input_limit(await ports.models.info(choice)))
    scale = scale_for(ports.counts, choice)
    before = session.log.entries()
    entries = [*before, *(CompactedEntry(run.turn.turn_id, one) for one in run.exchanges)]
    sizes = await sizes_of(entries, scale)
    start = _start(sizes, len(before), limits.window)
    steps = start - len(before)
    pinned = pinned_in(session.log.removals, dict.fromkeys(one.turn_id for one in before))
    going = sum(
        size
        for entry, size in zip(entries[:start], sizes[:start], strict=True)
        if entry.turn_id not in pinned
    )
    said = [said_in(*each) for each in zip(entries[:start], sizes[:start], strict=True)]
    if steps:
        # The results that the first exchange which stays begins with go, too.
        rest = said_in(entries[start], 0)
        said.append(TalkExchange(rest.turn_id, rest.question, "", 0))
        going += await scale.total(entries[start].exchange.questions)
        going -= await scale.total(run.exchanges[0].questions)
    limit = max(LEAST_SUMMARY, min(limits.summary, going // _HALF))
    if not settings.enabled or not said or going - limit < max(1, least_tokens):
        return None
    summary, answer = await summarize_start(said, limit, scale, ports)
    removal = Removal(
        case="steps",
        through=run.turn.turn_id,
        summary=summary,
        paths=await copies_to_keep(conversation, session, ports),
        model=answer.model,
        usage=answer.usage,
        created_ms=now_ms(),
        steps=steps,
        answered=run.answers,
        turns=pinned,
    )
    known = known_turns(session)
    await keep(session, ports, removal, known, run.turn.request_id)
    turn_ids = [turn.turn_id for turn in session.turns]
    left = [
        entry.exchange
        for entry in shorten(entries, turn_ids, [removal])
        if entry.turn_id == run.turn.turn_id
    ]
    return ShortenedRun(steps, going - limit, answer.usage), left


def _start(sizes: Sequence[int], first: int, window: int) -> int:
    """Return which exchange is the first that stays: of the run, and its last one in any case.

    Args:
        sizes: of all exchanges, in tokens.
        first: the first of the run.
        window: tokens of the newest ones that stay.
    """
    start = len(sizes) - 1
    while start > first and sum(sizes[start - 1 :]) <= window:
        start -= 1
    return start
