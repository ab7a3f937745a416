import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.compaction.due import TalkExchange
from jupyter_ac.chat.compaction.summary_prompt import (
    MESSAGE_CHARS,
    TALK_CHARS,
    SummaryFinding,
    instructions,
    numbered,
    read_finding,
)

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
