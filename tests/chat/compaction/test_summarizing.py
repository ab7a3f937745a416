import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.compaction.due import TalkExchange, look
from jupyter_ac.chat.compaction.summarizing import (
    MESSAGE_CHARS,
    TALK_CHARS,
    SummaryFinding,
    decide,
    instructions,
    numbered,
    read_finding,
    summarize,
)
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


ANSWER = {"boundary_index": 4, "boundary_reason": "r", "confidence": 0.8, "summary": 'All "well".'}
BARE = json.dumps(ANSWER)


@pytest.mark.parametrize(
    "text",
    [
        BARE,
        f"```json\n{BARE}\n```",
        f"Here it is:\n\n```\n{BARE}\n```\nDone.",
        f"I found this: {BARE} Good luck!",
        json.dumps({**ANSWER, "boundary_index": "4", "confidence": "0.8"}),
        BARE.replace("}", ",}"),
        'boundary_index: 4, confidence: 0.8\n"summary": "All \\"well\\"."',
    ],
)
def test_an_answer_is_read_however_it_is_wrapped(text: str) -> None:
    assert read_finding(text, 10) == SummaryFinding(4, 0.8, 'All "well".')


def test_an_answer_that_was_cut_gives_what_came() -> None:
    found = read_finding(
        '{"boundary_index": null, "confidence": 0, "summary": "They talked\\nab', 10
    )
    assert found == SummaryFinding(None, 0.0, "They talked\nab")


def test_line_ends_inside_a_text_are_no_fault() -> None:
    assert read_finding('{"summary": "one\ntwo"}', 4).summary == "one\ntwo"


@pytest.mark.parametrize("boundary", [0, -1, 10, 99, "x", None, True, [1], 1e400])
def test_a_boundary_outside_of_the_talk_is_none(boundary: object) -> None:
    text = json.dumps({"boundary_index": boundary, "confidence": 1, "summary": "s"})
    assert read_finding(text, 10).boundary is None


@pytest.mark.parametrize("confidence", [2, -1, "high", None, True])
def test_a_confidence_that_is_none_counts_as_nothing(confidence: object) -> None:
    text = json.dumps({"boundary_index": 3, "confidence": confidence, "summary": 7})
    assert read_finding(text, 10) == SummaryFinding(3, 0.0, "")


@given(st.text(), st.integers(0, 20))
def test_no_answer_whatever_raises(text: str, messages: int) -> None:
    found = read_finding(text, messages)
    assert found.boundary is None or 0 < found.boundary < messages
    assert 0 <= found.confidence <= 1
    found.summary.encode()


def test_the_whole_talk_is_numbered() -> None:
    said = [
        TalkExchange("", "the summary", "Understood.", 3),
        TalkExchange("t1", "why?", "because", 2),
    ]
    assert numbered(said).split("\n\n") == [
        "[0] USER: the summary",
        "[1] ASSISTANT: Understood.",
        "[2] USER: why?",
        "[3] ASSISTANT: because",
    ]


def test_a_long_talk_is_clipped_in_its_messages_and_none_is_left_out() -> None:
    said = [
        TalkExchange(f"t{n}", f"Q{n} " + "x" * 9000, "y" * 9000 + " end", 1) for n in range(400)
    ]
    text = numbered(said)
    assert len(text) < TALK_CHARS * 1.3
    assert "[799] ASSISTANT: yyy" in text
    assert text.endswith(" end")
    assert len(numbered(said[:1])) < 2 * MESSAGE_CHARS + 60


def test_the_users_prompt_takes_the_place_of_ours() -> None:
    assert instructions("Mine.", 50) == "Mine.\n\nThe summary has at most 50 tokens."
    assert "boundary_index" in instructions("", 50)


@given(
    st.lists(st.sampled_from(["```", "`", "json", "\n", " ", '{"summary": "s"}', "x"]), max_size=8)
)
def test_a_fence_is_read_as_by_an_expression(pieces: list[str]) -> None:
    text = "".join(pieces)
    old = re.search(r"```(?:json)?\s*\n(.*?)\n?```", text, re.DOTALL)
    bare = '{"summary": "s"}'
    if old is not None and old[1].strip() == bare and text.count(bare) == 1:
        assert read_finding(text, 4).summary == "s"


def test_many_line_ends_behind_a_fence_take_linear_time() -> None:
    assert read_finding("```json" + "\n" * 60_000, 4).boundary is None
