import http.client
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path

import pytest

from tests.support.model_process import LIMIT_S, SCRIPT, RunningModelServer, running_model_server
from tests.support.processes import is_running, wait_until_gone


def ask(base: str, path: str, **body: object) -> tuple[str, Message]:
    data = json.dumps({"messages": [{"role": "user", "content": "hello there"}], **body}).encode()
    with urllib.request.urlopen(f"{base}{path}", data, timeout=LIMIT_S) as answer:
        return answer.read().decode(), answer.headers


def data_lines(text: str) -> list[str]:
    return [line[6:] for line in text.splitlines() if line.startswith("data: {")]


def openai_text(text: str) -> str:
    choices = [choice for line in data_lines(text) for choice in json.loads(line)["choices"]]
    return "".join(choice["delta"].get("content", "") for choice in choices)


def test_openai_stream_ends_with_usage_when_it_is_asked_for(
    model_server: RunningModelServer,
) -> None:
    asked = {"model": "scripted", "stream": True, "stream_options": {"include_usage": True}}
    text, _ = ask(model_server.openai, "/chat/completions", **asked)
    assert openai_text(text).startswith("You asked: **hello there**\n\n")
    assert "```python" in openai_text(text)
    assert json.loads(data_lines(text)[-1])["usage"]["prompt_tokens"] == 3
    assert text.endswith("data: [DONE]\n\n")
    plain, _ = ask(model_server.openai, "/chat/completions", model="scripted", stream=True)
    assert not any("usage" in json.loads(line) for line in data_lines(plain))


def test_anthropic_stream_has_its_events_in_order(model_server: RunningModelServer) -> None:
    text, _ = ask(model_server.anthropic, "/v1/messages", model="scripted", stream=True)
    kinds = [json.loads(line)["type"] for line in data_lines(text)]
    assert kinds[:2] == ["message_start", "content_block_start"]
    assert kinds[-3:] == ["content_block_stop", "message_delta", "message_stop"]


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages"])
def test_a_request_without_stream_gets_one_object(
    model_server: RunningModelServer, path: str
) -> None:
    text, _ = ask(model_server.anthropic, path, model="scripted")
    assert "You asked: **hello there**" in text
    assert json.loads(text)["usage"]


def test_marked_prefixes_are_read_from_the_cache_the_second_time(
    model_server: RunningModelServer,
) -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    first = {"role": "user", "content": [{"type": "text", "text": "a" * 400, **mark}]}
    second = {"role": "user", "content": [{"type": "text", "text": "b" * 40, **mark}]}
    usages = []
    for messages in ([first], [first, second]):
        text, _ = ask(model_server.anthropic, "/v1/messages", model="scripted", messages=messages)
        usages.append(json.loads(text)["usage"])
    assert usages[0]["cache_creation_input_tokens"] == 100
    assert usages[1]["cache_read_input_tokens"] == 100
    assert usages[1]["cache_creation_input_tokens"] == 10


def test_a_refusal_carries_its_status_and_headers(model_server: RunningModelServer) -> None:
    with pytest.raises(urllib.error.HTTPError) as raised:
        ask(model_server.openai, "/chat/completions", model="scripted-429")
    with raised.value as error:
        assert error.code == 429
        assert error.headers["retry-after"] == "7"


def test_a_broken_stream_ends_in_the_middle(model_server: RunningModelServer) -> None:
    with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
        ask(model_server.openai, "/chat/completions", model="scripted-broken", stream=True)


@pytest.mark.parametrize("model", ["scripted-hang", "scripted-stall"])
def test_a_client_that_closes_early_is_recorded(
    model_server: RunningModelServer, model: str
) -> None:
    before = time.monotonic()
    address = model_server.anthropic.removeprefix("http://")
    client = http.client.HTTPConnection(address, timeout=LIMIT_S)
    body = json.dumps({"model": model, "stream": True, "messages": []})
    client.request("POST", "/v1/chat/completions", body)
    model_server.wait_until(lambda rows: len(rows) == 1)
    client.close()
    if client.sock is not None:
        client.sock.close()
    model_server.wait_until(lambda rows: bool(rows[0]["closed_early"]))
    closed_at = float((model_server.record / "001.closed").read_text())
    assert before < closed_at < time.monotonic()
    assert (model_server.requests()[0]["t_first_byte"] is None) == (model == "scripted-hang")


def test_the_body_is_recorded_as_it_came(model_server: RunningModelServer) -> None:
    ask(model_server.openai, "/chat/completions", model="openai/anything", extra=1)
    assert model_server.bodies()[0]["extra"] == 1
    assert model_server.requests()[0]["model"] == "openai/anything"


def test_the_long_answer_has_ten_thousand_chunks_at_the_asked_pace(tmp_path: Path) -> None:
    with running_model_server(tmp_path) as server:
        text, _ = ask(server.openai, "/chat/completions", model="scripted-long", stream=True)
        assert len(openai_text(text).split()) == 10_000
        start = time.monotonic()
        ask(server.openai, "/chat/completions", model="scripted@0.01", stream=True)
        assert time.monotonic() - start >= 0.1


def test_it_ends_when_its_parent_is_gone() -> None:
    parent = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, {str(SCRIPT)!r}], stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "print(child.pid)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", parent], capture_output=True, text=True, timeout=LIMIT_S, check=True
    )
    pid = int(done.stdout)
    wait_until_gone(pid)
    assert not is_running(pid)


def test_what_is_said_answers_questions_without_a_script_until_the_next_scenario(
    model_server: RunningModelServer,
) -> None:
    model_server.answer_as("scripted-edits")
    model_server.say("It is so.", "And more.")
    text, _ = ask(model_server.openai, "/chat/completions", model="any", stream=True)
    assert openai_text(text) == "It is so."
    again = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "It is so."}]
    text, _ = ask(
        model_server.openai, "/chat/completions", model="any", stream=True, messages=again
    )
    assert openai_text(text) == "And more."
    model_server.answer_as("scripted-edits")
    text, _ = ask(model_server.openai, "/chat/completions", model="any", stream=True)
    assert openai_text(text) == "There is no script.\n"
