"""A scripted model provider: OpenAI's and Anthropic's wire formats over HTTP, from one file.

Run it (`python tests/support/model_server.py --port 0 --record DIR`); it prints `READY <port>`.
The name of the model picks the scenario, `@SECONDS` behind it the pause between two chunks
(`scripted-long@0.002`). For a model with a name of its own the address does, behind `/as/`
(`http://127.0.0.1:PORT/as/scripted-empty/v1`). `POST /__as/scripted-empty` makes it answer all
further requests so, until `POST /__as/`; `POST /__begin` with another DIR makes it as if it had
just been started. `POST /__say` with a text scripts further answers of -edits and -tools until the
next `/__as/`: the questions need no script then. Each request's body is written to `DIR/NNN.json`;
when a client closes its socket before the answer is complete, `DIR/NNN.closed` gets the monotonic
time. `GET /__requests` lists what came. It ends itself when its parent dies or after
`--max-seconds`.

Scenarios: scripted, -slow, -markdown, -long (10,000 chunks), -some (2,000 of them), -reasoning,
-length, -empty (no text while the request carries cache marks), -hang (not a byte), -stall (one
chunk, then nothing), -edits (what the question gives behind a line `=====`; behind further such
lines, what is answered when the same turn asks again), -pending (likewise, but the answer never
ends), -tools (likewise; lines `@call NAME JSON`
are tool calls), -thinking-tools (with signed reasoning before), -summary (of a conversation, as
JSON), -repeat (what is behind `=====` and a number, so often), -boundary (the subject has changed
at its last question), -prose (no JSON), -broken (cut in the middle), -event (an error event in the
middle), -401, -403, -404, -429, -500, -503, -context, -secret (a 401 that repeats the key),
-escape (a 400 that would command a terminal), -unended (all of the answer, and no word on why it
ends). Any other name answers as `scripted`.
"""

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

Json = dict[str, object]

LONG_CHUNKS = 10_000
SOME_CHUNKS = 2_000
REPEAT_CHARS = 1 << 16
RETRY_AFTER_S = 7
TOOLS = ("tools", "thinking-tools")
CALL = "@call "
SCRIPT_LINE = "\n=====\n"
TASK = "\n\nYour task ("
SLOW_PACE_S = 0.05
PASSING = ("Reminder",)
"""How the parts begin that stand behind the question."""
MAX_BODY = 64 * 1024 * 1024
REASONING = ("Let me think. ", "The file has ", "no guard.")

MARKDOWN = (
    "`summary.py` turns a list of readings into *three figures*:\n\n"
    "| function | gives |\n|---|---|\n| `mean` | the average temperature |\n"
    "| `hottest` | the reading of the hottest day |\n| `feels_like` | the wind chill |\n\n"
    "With no readings at all, `mean` divides by zero and `hottest` raises `ValueError`. "
    "A guard says so in its own words:\n\n"
    "```python\ndef mean(readings):\n"
    '    """Return the mean temperature in degrees Celsius."""\n'
    "    if not readings:\n"
    '        raise ValueError("no readings: is the file empty?")\n'
    "    return sum(reading.celsius for reading in readings) / len(readings)\n```\n\n"
    "- `hottest` wants the same guard.\n- `feels_like` is right for a single reading.\n\n"
    "See [the statistics module](https://docs.python.org/3/library/statistics.html) for more.\n"
)


@dataclass
class Seen:
    """One request, as `GET /__requests` shows it; times are monotonic seconds."""

    n: int
    model: str
    path: str
    t_open: float
    status: int = 0
    closed_early: bool = False
    t_first_byte: float | None = None
    t_closed: float | None = None
    chunks: int = 0
    key_end: str = ""
    """The last character of the key that came, enough to tell two test keys apart."""


@dataclass
class Call:
    """A parsed request and what the answer needs to know of it."""

    seen: Seen
    body: Json
    dialect: str
    key: str
    scenario: str
    pace_s: float
    record: Path | None = None
    closed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))


def text_parts(content: object) -> Iterator[tuple[str, bool]]:
    """Yield each text of a message's content and whether it carries a cache mark."""
    if isinstance(content, str):
        yield content, False
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, dict):
                yield str(part.get("text", "")), "cache_control" in part


def prompt_parts(body: Json) -> list[tuple[str, bool]]:
    """All texts of a request in order, Anthropic's separate system text first."""
    parts = list(text_parts(body.get("system")))
    messages = body.get("messages")
    for message in messages if isinstance(messages, list) else []:
        parts += text_parts(message.get("content"))
    return parts


def tokens(text: str) -> int:
    """A count that is easy to predict: a token for every four characters."""
    return (len(text) + 3) // 4


def answer(body: Json, scenario: str) -> list[str]:
    """The chunks of the answer, the same for the same request."""
    parts = prompt_parts(body)
    if scenario == "empty" and any(marked for _, marked in parts):
        return []
    if scenario == "markdown":
        return [MARKDOWN[at : at + 7] for at in range(0, len(MARKDOWN), 7)]
    if scenario in ("edits", "pending", "repeat", *TOOLS):
        return scripted_by_question(body, scenario)
    if scenario in ("long", "some"):
        count = LONG_CHUNKS if scenario == "long" else SOME_CHUNKS
        return [f"word{n:05d} " for n in range(count)]
    if scenario in ("summary", "boundary", "prose"):
        return [finding(parts, scenario)]
    lasting = [text for text, _ in parts if not text.startswith(PASSING)]
    question = " ".join(lasting[-1].split()[:8]) if lasting else ""
    text = (
        f"You asked: **{question}**\n\nHere is an answer:\n\n"
        '```python\ndef hello(name: str) -> str:\n    return f"Hello, {name}!"\n```\n\n'
        f"It was found in {len(parts)} parts of the prompt.\n"
    )
    words = text.split(" ")
    return [f"{word} " for word in words[:-1]] + [words[-1]]


def finding(parts: list[tuple[str, bool]], scenario: str) -> str:
    """What is found in a numbered conversation; the summary is longer than it may be."""
    if scenario == "prose":
        return "I would rather not."
    talk = parts[-1][0] if parts else ""
    users = re.findall(r"^\[(\d+)\] USER", talk, re.MULTILINE)
    boundary = int(users[-1]) if scenario == "boundary" and users else None
    summary = f"They have exchanged {len(users)} questions. " + "It went well. " * 200
    return json.dumps({"boundary_index": boundary, "confidence": 0.9, "summary": summary})


def scripted_by_question(body: Json, scenario: str) -> list[str]:
    """The chunks that the last question with a script gives for this request."""
    text = script(body)
    if scenario in TOOLS:
        lines = text.splitlines(keepends=True)
        text = "".join(line for line in lines if not line.startswith(CALL))
    if scenario != "repeat":
        return [text[at : at + 7] for at in range(0, len(text), 7)]
    times, _, unit = text.partition(" ")
    if times.isdigit():
        text = unit.replace("\\n", "\n") * int(times)
    return [text[at : at + REPEAT_CHARS] for at in range(0, len(text), REPEAT_CHARS)]


def script(body: Json) -> str:
    """What the last question with a script has for this request."""
    messages = body.get("messages")
    answered = 0
    for message in reversed(messages if isinstance(messages, list) else []):
        if message.get("role") == "assistant":
            answered += 1
        for text, _ in text_parts(message.get("content")):
            _, *answers = asked(text).split(SCRIPT_LINE)
            if answers and message.get("role") == "user":
                return answers[min(answered, len(answers) - 1)]
    return "There is no script.\n"


def with_script(body: Json, said: str) -> Json:
    """The request as if its last question had this script."""
    messages = body.get("messages")
    found = list(messages) if isinstance(messages, list) else []
    last = max((at for at, each in enumerate(found) if each.get("role") == "user"), default=-1)
    scripted = {"role": "user", "content": f"{SCRIPT_LINE}{said}"}
    return body | {"messages": [*found[: last + 1], scripted, *found[last + 1 :]]}


def asked(text: str) -> str:
    """The part of a message in which a script may stand.

    Of the request for a plan, which is JSON, what the user wants; of the task of a plan its own
    description, which stands behind that of the whole plan.
    """
    if text.startswith("{") and '"user_request"' in text:
        return str(json.loads(text)["user_request"])
    return text[max(0, text.rfind(TASK)) :]


def tool_calls(call: "Call") -> list[tuple[str, str, str]]:
    """The tool calls of the answer: id, name, arguments; none without tools in the request."""
    if call.scenario not in TOOLS or not call.body.get("tools"):
        return []
    lines = [line for line in script(call.body).splitlines() if line.startswith(CALL)]
    found = (line.removeprefix(CALL).split(" ", 1) for line in lines)
    return [
        (f"call_{call.seen.n}_{number}", name, arguments[0] if arguments else "{}")
        for number, (name, *arguments) in enumerate(found)
    ]


def thoughts(scenario: str) -> Sequence[str]:
    """The chunks of the reasoning before the answer."""
    return REASONING if scenario in {"reasoning", "thinking-tools"} else ()


class PrefixCache:
    """Remembers marked prefixes as a provider's prompt cache does, without expiry."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def usage(self, body: Json) -> tuple[int, int, int]:
        """Tokens of the prompt: read from the cache, written to it, neither."""
        digest = hashlib.sha256()
        total = read = marked_to = 0
        marks = []
        for text, marked in prompt_parts(body):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
            total += tokens(text)
            if marked:
                marks.append(digest.hexdigest())
                marked_to = total
                read = total if marks[-1] in self._known else read
        self._known.update(marks)
        return read, max(0, marked_to - read), total - max(marked_to, read)


def error_of(call: Call) -> tuple[int, dict[str, str], str, str] | None:
    """Status, further headers, kind and text of a scenario that is refused."""
    key = call.key
    refusals: dict[str, tuple[int, dict[str, str], str, str]] = {
        "401": (401, {}, "authentication_error", "Incorrect API key provided."),
        "secret": (401, {}, "authentication_error", f"Incorrect API key provided: {key}."),
        "403": (403, {}, "permission_error", "Your key may not use this model."),
        "404": (404, {}, "not_found_error", f"The model `{call.body.get('model')}` is unknown."),
        "429": (429, {"retry-after": str(RETRY_AFTER_S)}, "rate_limit_error", "Slow down."),
        "escape": (400, {}, "invalid_request_error", "No \x1b]52;c;cm0=\x07such \x9b2Jthing."),
        "500": (500, {}, "api_error", "The server had an error."),
        "503": (503, {}, "overloaded_error", "Overloaded."),
        "context": (
            400,
            {},
            "invalid_request_error",
            "This model's maximum context length is 8192 tokens. However, your messages "
            "resulted in 9001 tokens. Please reduce the length of the messages."
            if call.dialect == "openai"
            else "prompt is too long: 9001 tokens > 8192 maximum",
        ),
    }
    return refusals.get(call.scenario)


def error_body(call: Call, kind: str, text: str) -> Json:
    """An error as the dialect writes it."""
    if call.dialect == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": text}}
    code = "context_length_exceeded" if call.scenario == "context" else kind
    return {"error": {"message": text, "type": kind, "param": None, "code": code}}


def openai_events(call: Call, cache: PrefixCache) -> Iterator[str]:
    """The server-sent events of a chat completion; a lone `|` asks for the next chunk."""
    base = {"id": f"chatcmpl-{call.seen.n}", "object": "chat.completion.chunk", "created": 0}
    base["model"] = str(call.body.get("model"))

    def event(delta: Json, finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return f"data: {json.dumps({**base, 'choices': [choice]})}\n\n"

    yield event({"role": "assistant", "content": ""})
    for thought in thoughts(call.scenario):
        yield event({"reasoning_content": thought})
    for text in answer(call.body, call.scenario):
        yield event({"content": text})
    if call.scenario in {"unended", "pending"}:
        return
    calls = tool_calls(call)
    for number, (call_id, name, arguments) in enumerate(calls):
        function = {"name": name, "arguments": ""}
        start = {"index": number, "id": call_id, "type": "function", "function": function}
        yield event({"tool_calls": [start]})
        for at in range(0, len(arguments), 5):
            piece = {"index": number, "function": {"arguments": arguments[at : at + 5]}}
            yield event({"tool_calls": [piece]})
    ended = "tool_calls" if calls else "stop"
    yield event({}, "length" if call.scenario == "length" else ended)
    options = call.body.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        last = {**base, "choices": [], "usage": openai_usage(call, cache)}
        yield f"data: {json.dumps(last)}\n\n"
    yield "data: [DONE]\n\n"


def openai_usage(call: Call, cache: PrefixCache) -> Json:
    read, written, rest = cache.usage(call.body)
    prompt, completion = read + written + rest, sum(map(tokens, answer(call.body, call.scenario)))
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": read},
    }


def anthropic_events(call: Call, cache: PrefixCache) -> Iterator[str]:
    """The server-sent events of a message."""

    def event(kind: str, **more: object) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n"

    usage = anthropic_usage(call, cache)
    first: Json = {"id": f"msg_{call.seen.n}", "type": "message", "role": "assistant"}
    first |= {"content": [], "model": call.body.get("model"), "stop_reason": None}
    yield event("message_start", message=first | {"usage": usage | {"output_tokens": 1}})
    index = 0
    if thinking := thoughts(call.scenario):
        block: Json = {"type": "thinking", "thinking": "", "signature": ""}
        yield event("content_block_start", index=0, content_block=block)
        for thought in thinking:
            delta = {"type": "thinking_delta", "thinking": thought}
            yield event("content_block_delta", index=0, delta=delta)
        signed = {"type": "signature_delta", "signature": "c2lnbmVk"}
        yield event("content_block_delta", index=0, delta=signed)
        yield event("content_block_stop", index=0)
        index = 1
    yield event("content_block_start", index=index, content_block={"type": "text", "text": ""})
    for text in answer(call.body, call.scenario):
        delta = {"type": "text_delta", "text": text}
        yield event("content_block_delta", index=index, delta=delta)
    if call.scenario == "unended":
        return
    yield event("content_block_stop", index=index)
    calls = tool_calls(call)
    for at, (call_id, name, arguments) in enumerate(calls, index + 1):
        block = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
        yield event("content_block_start", index=at, content_block=block)
        for start in range(0, len(arguments), 5):
            delta = {"type": "input_json_delta", "partial_json": arguments[start : start + 5]}
            yield event("content_block_delta", index=at, delta=delta)
        yield event("content_block_stop", index=at)
    stop = "max_tokens" if call.scenario == "length" else "tool_use" if calls else "end_turn"
    yield event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage=usage)
    yield event("message_stop")


def anthropic_usage(call: Call, cache: PrefixCache) -> Json:
    read, written, rest = cache.usage(call.body)
    return {
        "input_tokens": rest,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": read,
        "output_tokens": sum(map(tokens, answer(call.body, call.scenario))),
    }


def whole(call: Call, cache: PrefixCache) -> Json:
    """The answer to a request that doesn't stream."""
    text = "".join(answer(call.body, call.scenario))
    if call.dialect == "anthropic":
        return {
            "id": f"msg_{call.seen.n}",
            "type": "message",
            "role": "assistant",
            "model": call.body.get("model"),
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "usage": anthropic_usage(call, cache),
        }
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    return {
        "id": f"chatcmpl-{call.seen.n}",
        "object": "chat.completion",
        "created": 0,
        "model": call.body.get("model"),
        "choices": [choice | {"finish_reason": "stop"}],
        "usage": openai_usage(call, cache),
    }


class ModelServer:
    """The server; everything it has seen is in `requests`."""

    def __init__(self, record: Path | None = None, pace_s: float = 0.0) -> None:
        self.requests: list[Seen] = []
        self._record = record
        self._pace_s = pace_s
        self._cache = PrefixCache()
        self._answers_as = ""
        self._said = ""

    async def serve_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer the requests of one client until it closes."""
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            ahead = b""
            while True:
                head = ahead + await reader.readuntil(b"\r\n\r\n")
                method, path, headers = parse_head(head)
                size = int(headers.get("content-length", 0))
                body = await reader.readexactly(min(MAX_BODY, size))
                watch = asyncio.create_task(reader.read(1))
                try:
                    await self._answer(method, path, headers, body, watch, writer)
                    ahead = await watch
                finally:
                    watch.cancel()
                if not ahead:
                    break
        writer.close()

    async def _answer(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes,
        watch: "asyncio.Task[bytes]",
        writer: asyncio.StreamWriter,
    ) -> None:
        if method == "GET":
            rows = [asdict(seen) for seen in self.requests]
            models = {"object": "list", "data": [{"id": "scripted", "object": "model"}]}
            await send_json(writer, 200, rows if path == "/__requests" else models)
            return
        if path.startswith("/__as/"):
            self._answers_as, self._said = path.removeprefix("/__as/"), ""
            await send_json(writer, 200, {})
            return
        if path == "/__say":
            self._said = body.decode()
            await send_json(writer, 200, {})
            return
        if path == "/__begin":
            self._begin(Path(body.decode()))
            await send_json(writer, 200, {})
            return
        call = self._admit(path, headers, body)
        watch.add_done_callback(lambda _: call.closed.set())
        try:
            await self._play(call, writer)
        except ConnectionError:
            call.closed.set()
        seen = call.seen
        seen.t_closed = time.monotonic()
        if call.closed.is_set():
            seen.closed_early = True
            if call.record:
                (call.record / f"{seen.n:03d}.closed").write_text(repr(seen.t_closed))
            raise ConnectionResetError

    def _begin(self, record: Path) -> None:
        """Forget all that came; what is still being answered belongs to what is forgotten."""
        record.mkdir(parents=True, exist_ok=True)
        self.requests, self._record = [], record
        self._cache, self._answers_as, self._said = PrefixCache(), "", ""

    def _admit(self, path: str, headers: dict[str, str], body: bytes) -> Call:
        parsed = json.loads(body)
        if self._said:
            parsed = with_script(parsed, self._said)
        as_name = path.partition("/as/")[2].partition("/")[0] or self._answers_as
        name = as_name or str(parsed.get("model", "")).rsplit("/", 1)[-1]
        name, _, pace = name.partition("@")
        scenario = name.removeprefix("scripted").lstrip("-") if name[:8] == "scripted" else ""
        seen = Seen(len(self.requests) + 1, str(parsed.get("model")), path, time.monotonic())
        self.requests.append(seen)
        if self._record:
            (self._record / f"{seen.n:03d}.json").write_bytes(body)
        slow = SLOW_PACE_S if scenario == "slow" else self._pace_s
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        seen.key_end = key[-1:]
        dialect = "anthropic" if path.endswith("/messages") else "openai"
        pace_s = float(pace) if pace else slow
        return Call(seen, parsed, dialect, key, scenario, pace_s, self._record)

    async def _play(self, call: Call, writer: asyncio.StreamWriter) -> None:
        if call.scenario == "hang":
            await call.closed.wait()
            return
        refusal = error_of(call)
        call.seen.t_first_byte = time.monotonic()
        if refusal:
            call.seen.status, more, kind, text = refusal
            await send_json(writer, call.seen.status, error_body(call, kind, text), more)
        elif call.stream:
            call.seen.status = 200
            await self._stream(call, writer)
        elif "prompt" in call.body:
            call.seen.status = 200
            await send_json(writer, 200, filled(call))
        else:
            call.seen.status = 200
            await send_json(writer, 200, whole(call, self._cache))

    async def _stream(self, call: Call, writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        async for event in self._paced(call):
            data = event.encode()
            writer.write(b"%x\r\n%s\r\n" % (len(data), data))
            await writer.drain()
            if call.closed.is_set():
                return
        if call.scenario == "broken":
            writer.transport.abort()
            return
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    async def _paced(self, call: Call) -> AsyncIterator[str]:
        source = openai_events if call.dialect == "openai" else anthropic_events
        first = 2 if call.dialect == "openai" else 3
        limits = {"stall": first, "broken": first + 4, "event": first + 4}
        stop_at = limits.get(call.scenario, sys.maxsize)
        for number, event in enumerate(source(call, self._cache), start=1):
            yield event
            call.seen.chunks = number
            if number == stop_at:
                break
            if call.pace_s:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(call.closed.wait(), call.pace_s)
        if call.scenario in {"stall", "pending"}:
            await call.closed.wait()
        if call.scenario == "event":
            data = json.dumps(error_body(call, "overloaded_error", "Overloaded."))
            yield f"event: error\ndata: {data}\n\n"


def filled(call: Call) -> Json:
    """The answer to a request to fill a gap: what the gap is between, with the lengths."""
    prompt, suffix = str(call.body["prompt"]), str(call.body.get("suffix", ""))
    text = f"filled({len(prompt)}, {len(suffix)})"
    usage = {"prompt_tokens": tokens(prompt + suffix), "completion_tokens": tokens(text)}
    choice = {"index": 0, "text": text, "finish_reason": "stop", "logprobs": None}
    return {
        "id": "cmpl-1",
        "object": "text_completion",
        "created": 1,
        "model": call.seen.model,
        "choices": [choice],
        "usage": {**usage, "total_tokens": sum(usage.values())},
    }


def parse_head(head: bytes) -> tuple[str, str, dict[str, str]]:
    """Method, path without its query, headers with lower-case names."""
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines if ":" in line)
    return method, target.partition("?")[0], {n.lower(): v.strip() for n, _, v in pairs}


async def send_json(
    writer: asyncio.StreamWriter, status: int, value: object, more: dict[str, str] | None = None
) -> None:
    """Answer with one JSON value."""
    data = json.dumps(value).encode()
    headers = {"content-type": "application/json", "content-length": str(len(data)), **(more or {})}
    lines = "".join(f"{name}: {text}\r\n" for name, text in headers.items())
    writer.write(f"HTTP/1.1 {status} Scripted\r\n{lines}\r\n".encode() + data)
    await writer.drain()


async def run(options: argparse.Namespace) -> None:
    """Serve until the parent is gone or the time is up."""
    parent, end = os.getppid(), time.monotonic() + options.max_seconds
    record = Path(options.record) if options.record else None
    if record:
        record.mkdir(parents=True, exist_ok=True)
    model_server = ModelServer(record, options.pace)
    server = await asyncio.start_server(
        model_server.serve_connection, "127.0.0.1", options.port, limit=MAX_BODY
    )
    sys.stdout.write(f"READY {server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    while os.getppid() == parent and time.monotonic() < end:
        await asyncio.sleep(0.25)


def main() -> None:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(description="Scripted model provider for tests.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--record", help="folder for the bodies of the requests")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between two chunks")
    parser.add_argument("--max-seconds", type=float, default=3600.0)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
