import json

import pytest

from jupyter_ac.chat.compaction.summarizing import look, may_be_due, summarize
from jupyter_ac.chat.model_gateway import TOO_SMALL
from jupyter_ac.chat.prompt.blocks import summary_block
from jupyter_ac.errors import ProviderBadRequest, ProviderUnavailable
from jupyter_ac.models.choice import ModelChoice
from tests.chat.compaction.world import SUMMARY, Talk, settings

LONG = "x" * 112


async def talked() -> Talk:
    talk = Talk(found=settings(trigger=9000, window=50, summary=20))
    await talk.say(*[f"{number} {LONG}" for number in range(4)])
    return talk


async def test_talk_is_measured_without_files() -> None:
    talk = Talk(found=settings(trigger=9000))
    talk.select("a.py")
    await talk.say("four")
    measured = await look(talk.conversation.session, talk.ports, to_least=False)
    assert measured.tokens == 1 + 3
    assert (measured.said[0].question, measured.said[0].answer) == ("four", "Hello world")


async def test_a_summary_longer_than_it_may_be_is_cut_between_words() -> None:
    talk = await talked()
    talk.world.model.aside = json.dumps({"summary": "gardens and sheds " * 200})
    measured = await look(talk.conversation.session, talk.ports, to_least=True)
    compacted = await summarize(measured, talk.ports)
    removal = compacted.removal
    assert (len(summary_block(removal.summary).text) + 3) // 4 <= 20
    assert removal.summary.endswith(" …")
    assert removal.summary.removesuffix(" …").split()[-1] in {"gardens", "and", "sheds"}
    assert (removal.model, removal.usage is not None) == ("openai/test", True)


async def test_a_summary_has_at_most_half_of_what_it_stands_for() -> None:
    talk = Talk(found=settings(trigger=9000, window=50, summary=500))
    await talk.say(*[f"{number} {LONG}" for number in range(4)])
    talk.world.model.aside = json.dumps({"summary": "gardens and sheds " * 200})
    measured = await look(talk.conversation.session, talk.ports, to_least=True)
    removal = (await summarize(measured, talk.ports)).removal
    going = sum(one.tokens for one in measured.said[: measured.start])
    assert (len(summary_block(removal.summary).text) + 3) // 4 <= going // 2
    assert f"at most {going // 2} tokens" in str(talk.asides[-1].messages)


async def test_a_long_word_is_cut_all_the_same() -> None:
    talk = await talked()
    talk.world.model.aside = json.dumps({"summary": "x" * 5000})
    measured = await look(talk.conversation.session, talk.ports, to_least=True)
    removal = (await summarize(measured, talk.ports)).removal
    assert 0 < (len(summary_block(removal.summary).text) + 3) // 4 <= 20


async def test_an_answer_of_no_use_is_an_error_that_names_the_model() -> None:
    talk = await talked()
    talk.world.model.aside = "No."
    measured = await look(talk.conversation.session, talk.ports, to_least=True)
    with pytest.raises(ProviderUnavailable, match="openai/test gave no summary"):
        await summarize(measured, talk.ports)


async def test_the_demo_model_is_too_small_for_it() -> None:
    talk = await talked()
    measured = await look(talk.conversation.session, talk.ports, to_least=True)
    talk.world.choice = ModelChoice("openai/demo", "embedded", demo=True)
    with pytest.raises(ProviderBadRequest, match=TOO_SMALL[:20]):
        await summarize(measured, talk.ports)


async def test_a_turn_that_runs_is_no_part_of_what_is_compacted() -> None:
    talk = await talked()
    last = talk.conversation.session.turns[-1].turn_id
    talk.world.model.held = True
    talk.start("id-9", "Why?")
    measured = await look(talk.conversation.session, talk.ports, to_least=True)
    assert measured.through == last
    await talk.turns.aclose()


async def test_short_talk_is_not_even_counted() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say("One?")
    compaction = talk.world.settings.history_compaction
    assert not may_be_due(talk.conversation.session, compaction, talk.world.model.info)
    assert may_be_due(talk.conversation.session, settings(trigger=4).history_compaction, None)
    assert SUMMARY not in talk.world.counter.asked
