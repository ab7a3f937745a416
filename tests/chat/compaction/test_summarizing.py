import json

import pytest

from jupyter_ac.chat.compaction.due import look
from jupyter_ac.chat.compaction.summarizing import decide, summarize
from jupyter_ac.chat.compaction.summary_prompt import SummaryFinding
from jupyter_ac.chat.model_gateway import TOO_SMALL
from jupyter_ac.chat.prompt.blocks import summary_block
from jupyter_ac.errors import ProviderBadRequest, ProviderUnavailable
from jupyter_ac.models.choice import ModelChoice
from tests.chat.compaction.world import Talk, settings

LONG = "x" * 112


async def talked() -> Talk:
    talk = Talk(found=settings(trigger=9000, window=50, summary=20))
    await talk.say(*[f"{number} {LONG}" for number in range(4)])
    return talk


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


def test_a_new_subject_inside_the_part_that_stays_truncates() -> None:
    found = SummaryFinding(boundary=6, confidence=0.5, summary="S")
    assert decide(found, 3, 6, 2) == ("truncate", 3)
    assert decide(SummaryFinding(8, 0.9, "S"), 3, 6, 2) == ("truncate", 4)


def test_truncating_keeps_the_least_number_of_exchanges() -> None:
    assert decide(SummaryFinding(10, 0.9, ""), 3, 6, 2) == ("truncate", 4)


@pytest.mark.parametrize(
    "found",
    [
        SummaryFinding(None, 0.9, "S"),
        SummaryFinding(2, 0.9, "S"),  # begins before the part that stays
        SummaryFinding(8, 0.49, "S"),  # not sure enough
        SummaryFinding(99, 0.9, "S"),  # no such message
    ],
)
def test_everything_else_is_summarised(found: SummaryFinding) -> None:
    assert decide(found, 3, 6, 2) == ("summarize", 3)


def test_without_a_summary_nothing_is_dropped() -> None:
    assert decide(SummaryFinding(), 3, 6, 2) is None
    assert decide(SummaryFinding(2, 0.9, ""), 3, 6, 2) is None
