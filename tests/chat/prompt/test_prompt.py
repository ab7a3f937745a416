import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    file_block,
    question_block,
    result_block,
    step_block,
)
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.prompt import MAX_NAME_CHARS, Prompt
from jupyter_ac.ids import RepoPath
from jupyter_ac.workers.wire import ToolCall
from tests.support.json_values import JsonValue

HEAD = (Block(Category.SYSTEM, "Be kind."),)
FILE = file_block(RepoPath("a"), "1")


def test_the_order_is_system_log_news_question() -> None:
    past = Exchange((FILE, question_block("Why?")), answer_block("So."))
    prompt = Prompt(HEAD, (past,), (file_block(RepoPath("b"), "2"), question_block("And?")))
    assert prompt.messages() == [
        {"role": "system", "content": "Be kind."},
        {
            "role": "user",
            "content": [{"type": "text", "text": FILE.text}, {"type": "text", "text": "Why?"}],
        },
        {"role": "assistant", "content": "So."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "b\n```\n2\n```\n"},
                {"type": "text", "text": "And?"},
            ],
        },
    ]
    assert prompt.message_count == 4
    assert [block.text for block in prompt.blocks][-2:] == ["b\n```\n2\n```\n", "And?"]


def test_a_single_block_is_a_plain_string() -> None:
    prompt = Prompt(HEAD, (), (question_block("Why?"),))
    assert prompt.messages()[-1] == {"role": "user", "content": "Why?"}


def test_a_preview_without_news_and_question_has_no_last_message() -> None:
    assert Prompt(HEAD).message_count == len(Prompt(HEAD).messages()) == 1


def test_a_longer_log_only_adds_to_the_messages_before_it() -> None:
    first = Prompt(HEAD, (), (FILE, question_block("1")))
    exchange = Exchange(first.ask, answer_block("one"))
    second = Prompt(HEAD, (exchange,), (question_block("2"),))
    assert second.messages()[: first.message_count] == first.messages()


def test_files_that_are_carried_stand_before_the_news() -> None:
    prompt = Prompt(HEAD, (), (question_block("?"),), carried=(FILE,))
    assert prompt.messages()[-1]["content"] == [
        {"type": "text", "text": FILE.text},
        {"type": "text", "text": "?"},
    ]
    assert Prompt(HEAD, carried=(FILE,)).message_count == 2


READ, LIST = ToolCall("c1", "read", '{"path": "a"}'), ToolCall("c2", "list", "{}")
TOOLS = (Block(Category.TOOLS, "{}"),)
SIGNED: Mapping[str, object] = {"type": "thinking", "thinking": "Hm. ", "signature": "c2k="}


def called(answer: str, *calls: ToolCall) -> Exchange:
    return Exchange((question_block("Why?"),), answer_block(answer), calls, (SIGNED,))


def test_calls_their_results_and_what_is_left_stand_in_this_order() -> None:
    results = (result_block(READ, "one"), result_block(LIST, ""), step_block("Left: 3 steps."))
    prompt = Prompt(HEAD, (called("I look.", READ, LIST),), (FILE, *results), tools=TOOLS)
    _, _, answered, *results_sent, last = prompt.messages()
    assert answered == {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
            {
                "id": call.call_id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in (READ, LIST)
        ],
        "thinking_blocks": [SIGNED],
    }
    assert results_sent == [
        {"role": "tool", "tool_call_id": "c1", "content": "one"},
        {"role": "tool", "tool_call_id": "c2", "content": "(nothing)"},
    ]
    assert [part["text"] for part in _parts(last)] == [FILE.text, "Left: 3 steps."]
    assert prompt.message_count == len(prompt.messages()) == 6


def test_reasoning_goes_back_to_the_family_of_models_that_has_signed_it() -> None:
    signed = replace(called("I look.", READ), family="claude")

    def answered(family: str) -> JsonValue:
        prompt = Prompt(HEAD, (signed,), (result_block(READ, "one"),), tools=TOOLS, family=family)
        return dict(prompt.messages()[2])

    assert answered("claude")["thinking_blocks"] == [SIGNED]
    assert "thinking_blocks" not in answered("gemini")
    assert answered("gemini")["tool_calls"] == answered("claude")["tool_calls"]


def test_a_signature_in_an_id_stays_for_gemini_only() -> None:
    call = ToolCall("call_1__thought__c2k=", "read", "{}")
    past = (replace(called("", call), family="gemini"),)

    def ids(family: str) -> list[str]:
        asked = (result_block(call, "one"),)
        messages = Prompt(HEAD, past, asked, tools=TOOLS, family=family).messages()
        _, _, made, result = map(dict, messages)
        calls: JsonValue = made["tool_calls"]
        return [calls[0]["id"], str(result["tool_call_id"])]

    assert ids("gemini") == [call.call_id] * 2
    assert ids("claude") == ids("openai/gpt-5") == ["call_1"] * 2


def _parts(message: JsonValue) -> JsonValue:
    return message["content"]


def test_an_answer_without_a_text_is_only_its_calls() -> None:
    prompt = Prompt(HEAD, (called("", READ),), (result_block(READ, "one"),), tools=TOOLS)
    assert prompt.messages()[2]["content"] is None
    assert [block.category for block in prompt.past[0].reply] == [Category.CALLS]
    assert all(block.text for block in prompt.blocks)
    assert prompt.message_count == len(prompt.messages()) == 4


def test_calls_count_in_the_blocks_as_they_came() -> None:
    reply = called("I look.", READ, LIST).reply
    assert [block.category for block in reply] == [Category.ANSWER, Category.CALLS]
    assert reply[1].text == 'read {"path": "a"}\nlist {}'


def test_the_tools_stand_first_among_the_blocks_and_in_no_message() -> None:
    prompt = Prompt(HEAD, (), (question_block("Why?"),), tools=TOOLS)
    assert prompt.blocks[:2] == [*TOOLS, *HEAD]
    assert prompt.messages() == Prompt(HEAD, (), (question_block("Why?"),)).messages()


def test_a_model_that_takes_no_tools_gets_calls_and_results_as_texts() -> None:
    results = (result_block(READ, "one"), step_block("Left: 3 steps."))
    past = (called("I look.", READ), Exchange(results, answer_block("So.")))
    prompt = Prompt(HEAD, past, (question_block("And?"),))
    assert prompt.messages()[2:] == [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I look."},
                {"type": "text", "text": 'read {"path": "a"}'},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "one"},
                {"type": "text", "text": "Left: 3 steps."},
            ],
        },
        {"role": "assistant", "content": "So."},
        {"role": "user", "content": "And?"},
    ]
    assert prompt.message_count == len(prompt.messages()) == 6


@pytest.mark.parametrize("arguments", ["", "{", "[]", "null", '"x"', "{}{}", "[" * 100_000])
def test_arguments_that_are_no_object_go_out_as_one(arguments: str) -> None:
    prompt = Prompt(HEAD, (called("", ToolCall("c1", "read", arguments)),), tools=TOOLS)
    (sent,) = _calls(prompt.messages()[2])
    assert json.loads(sent["function"]["arguments"]) == {"broken": arguments}
    assert prompt.messages() == prompt.messages()


def _calls(message: JsonValue) -> JsonValue:
    return message["tool_calls"]


@given(st.text(min_size=1), st.text(), st.text(min_size=1))
def test_whatever_a_model_calls_goes_out_with_its_result(
    name: str, arguments: str, id_: str
) -> None:
    call = ToolCall(id_, name, arguments)
    prompt = Prompt(HEAD, (called("", call),), (result_block(call, "one"),), tools=TOOLS)
    answered, result = prompt.messages()[2:]
    (sent,) = _calls(answered)
    assert sent["id"] == id_ == result["tool_call_id"]
    assert set(sent["function"]["name"]) <= set("".join(map(chr, range(128))))
    assert 0 < len(sent["function"]["name"]) <= MAX_NAME_CHARS
    assert isinstance(json.loads(sent["function"]["arguments"]), dict)
    json.dumps(prompt.messages(), ensure_ascii=False).encode()
