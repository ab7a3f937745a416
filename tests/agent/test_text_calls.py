import json

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.text_calls import END, MAX_CALLS, START, parse_calls, teach
from jupyter_ac.agent.tool import Right, ToolDefinition
from jupyter_ac.chat.tool_calls import ToolCall

READ = ToolDefinition("read_file", "Reads.", {"type": "object", "properties": {}}, Right.READ)


def call(name: str, arguments: str) -> str:
    return f"{START} {name}\n{arguments}\n{END}\n"


def test_calls_stand_between_text() -> None:
    read, done = call("read_file", '{"path": "a"}'), call("done", "{}")
    text = f"First.\n{read}Then.\n{done}"
    assert parse_calls(text) == [
        ToolCall("", "read_file", '{"path": "a"}'),
        ToolCall("", "done", "{}"),
    ]


def test_a_call_in_a_fence_or_without_an_end_is_none() -> None:
    assert parse_calls(f"```\n{call('read_file', '{}')}```\n") == []
    assert parse_calls(f"{START} read_file\n{{}}\n") == []
    assert parse_calls(f"{START}\n{{}}\n{END}\n") == []
    quoted = f"~~~~\n```\n{call('read_file', '{}')}~~~~\n{call('done', '{}')}"
    assert parse_calls(quoted) == [ToolCall("", "done", "{}")]


def test_arguments_may_have_many_lines_and_be_broken() -> None:
    text = call("run_command", '{\n  "command": "ls"')
    assert parse_calls(text) == [ToolCall("", "run_command", '{\n  "command": "ls"')]


def test_very_many_calls_are_bounded() -> None:
    assert len(parse_calls(call("done", "{}") * (2 * MAX_CALLS))) == MAX_CALLS


def test_what_a_model_is_taught_is_what_is_parsed() -> None:
    lesson = teach([READ])
    assert lesson == teach([READ])
    assert parse_calls(lesson) == [ToolCall("", "name", '{"argument": "value"}')]
    assert "read_file: Reads." in lesson


@given(st.text())
def test_no_text_raises(text: str) -> None:
    assert len(parse_calls(text)) <= MAX_CALLS


@given(st.dictionaries(st.text(), st.text()))
def test_written_arguments_are_read(arguments: dict[str, str]) -> None:
    (found,) = parse_calls(call("read_file", json.dumps(arguments)))
    assert json.loads(found.arguments) == arguments
