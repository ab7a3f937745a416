import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from jupyter_ac.chat.compaction.marking import pin
from jupyter_ac.chat.compaction.running import RunLog, shorten_run
from jupyter_ac.chat.ports import ShortenedRun
from jupyter_ac.chat.prompt.blocks import answer_block, question_block, result_block, step_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.ids import RequestId
from tests.chat.compaction.world import SUMMARY, Talk, sent, settings

RUN = TurnRecord("turn_run", RequestId("2-a"), "Mend it.", 1)


def calls(number: int) -> tuple[ToolCall, ...]:
    return (ToolCall(f"c{number}", "look", f'{{"path": "{number}"}}'),)


def exchanges(count: int, size: int = 400) -> list[Exchange]:
    """The log of a run: its question, then results of calls, each with a further call."""
    made = [Exchange((question_block("Mend it."),), answer_block("I look."), calls(0))]
    for number in range(1, count):
        result = result_block(calls(number - 1)[0], f"{number}" * size)
        asked = (result, step_block("Left: 3 steps."))
        made.append(Exchange(asked, answer_block(""), calls(number)))
    return made


async def shortened(
    talk: Talk, log: Sequence[Exchange], least: int = 1
) -> tuple[ShortenedRun, list[Exchange]] | None:
    await talk.ports.history.begin(talk.conversation.place, RUN)
    talk.conversation.session.put(RUN)
    talk.conversation.session.revision += 1
    run = RunLog(RUN, log, len(log))
    async with asyncio.timeout(30):
        return await shorten_run(talk.conversation, run, least, talk.ports)


async def test_the_first_steps_are_summarized_with_the_results_that_follow_them() -> None:
    talk = Talk(found=settings(trigger=400, window=150))
    log = exchanges(4)
    done = await shortened(talk, log)
    assert done is not None
    made, left = done
    assert made.steps == 3
    assert [one.sent for one in left] == [log[0].sent]
    assert left[0].calls == log[3].calls
    (asked,) = talk.asides
    told = sent(asked)[1][1][0]
    assert "look {" in told
    assert "3333" in told
    (removal,) = talk.conversation.session.log.removals
    assert (removal.case, removal.steps, removal.answered) == ("steps", 3, 4)
    assert "They spoke" in removal.summary


async def test_the_newest_steps_stay_as_they_were_sent() -> None:
    talk = Talk(found=settings(trigger=1000, window=300))
    log = exchanges(6)
    done = await shortened(talk, log)
    assert done is not None
    made, left = done
    assert 0 < made.steps < 5
    assert left[1:] == log[made.steps + 1 :]
    assert left[0] == replace(log[made.steps], sent=log[0].sent)


async def test_what_was_said_before_goes_first() -> None:
    talk = Talk(found=settings(trigger=100_000))
    await talk.say("word " * 200)
    log = exchanges(1)
    done = await shortened(talk, log)
    assert done is not None
    assert (done[0].steps, done[1]) == (0, log)
    assert "word" not in str(talk.conversation.session.exchanges)


@pytest.mark.parametrize("least", [1, 10_000])
async def test_a_log_that_would_hardly_be_shorter_stays(least: int) -> None:
    talk = Talk(found=settings(trigger=400, window=150))
    assert await shortened(talk, exchanges(4 if least > 1 else 1), least) is None
    assert talk.asides == []


async def test_a_model_that_gives_no_summary_leaves_the_log_as_it_is() -> None:
    talk = Talk(found=settings(trigger=400, window=150))
    talk.world.model.aside = "No."
    assert await shortened(talk, exchanges(4)) is None
    assert talk.conversation.session.log.removals == ()


async def test_it_can_be_switched_off() -> None:
    found = settings(trigger=400, window=150)
    off = replace(found, history_compaction=replace(found.history_compaction, enabled=False))
    talk = Talk(found=off)
    talk.world.model.aside = SUMMARY
    assert await shortened(talk, exchanges(4)) is None
    assert talk.asides == []


async def test_a_pinned_turn_stays_before_the_run() -> None:
    talk = Talk(found=settings(trigger=4000, window=150))
    await talk.say("One? " * 50, "Two? " * 50)
    await pin(talk.conversation, talk.ports, ["id-1"], pinned=True)
    assert await shortened(talk, exchanges(4)) is not None
    session = talk.conversation.session
    (_, removal) = session.log.removals
    assert removal.turns == (session.turns[1].turn_id,)
    said = str(session.exchanges)
    assert ("One?" in said, "Two?" in said) == (False, True)
