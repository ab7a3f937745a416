"""Both ends of a stream of text, without a connection."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import AcError, Conflict, InvalidParams, TooLarge
from jupyter_ac.rpc import text_streams
from jupyter_ac.rpc.text_streams import JOIN_CHARACTERS, MAX_OPEN, StreamReceiver, TextStream

Sent = list[tuple[str, dict[str, object]]]
START = {"stream_id": "s", "task_id": 1}


def stream(sent: Sent, signs: list[None] | None = None) -> TextStream:
    def notify(name: str, *, named: dict[str, object]) -> None:
        sent.append((name, named))

    return TextStream(1, notify, lambda: None if signs is None else signs.append(None))


def texts(sent: Sent) -> list[object]:
    return [params["chunk"] for name, params in sent if name == "stream_data"]


async def test_small_texts_are_joined_and_long_ones_go_out_at_once() -> None:
    sent: Sent = []
    writer = stream(sent)
    writer.write("a")
    writer.write("b")
    assert texts(sent) == []
    writer.write("c" * JOIN_CHARACTERS)
    assert texts(sent) == ["ab" + "c" * JOIN_CHARACTERS]
    writer.write("rest")
    writer.end("ok")
    assert texts(sent)[1:] == ["rest"]
    assert sent[-1][1]["total_chunks"] == 2


async def test_a_small_text_goes_out_by_itself() -> None:
    sent: Sent = []
    writer = stream(sent)
    writer.write("a")
    async with asyncio.timeout(90):
        while not texts(sent):
            await asyncio.sleep(0.005)
    writer.end("ok")
    assert texts(sent) == ["a"]


async def test_a_very_long_text_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_streams, "MAX_PART", 7)
    sent: Sent = []
    writer = stream(sent)
    writer.write("0123456789" * 200)
    writer.end("ok")
    assert all(len(str(text)) <= 7 for text in texts(sent))
    assert "".join(map(str, texts(sent))) == "0123456789" * 200


async def test_the_end_is_said_once_and_final() -> None:
    sent: Sent = []
    writer = stream(sent)
    writer.end("error")
    writer.end("ok")
    assert [(name, params.get("status")) for name, params in sent] == [
        ("stream_start", None),
        ("stream_end", "error"),
    ]
    with pytest.raises(Conflict):
        writer.write("more")


async def test_each_text_is_a_sign_of_life_even_an_empty_one() -> None:
    signs: list[None] = []
    sent: Sent = []
    writer = stream(sent, signs)
    writer.write("a")
    writer.write("")
    writer.end("ok")
    assert len(signs) == 2
    assert texts(sent) == ["a"]


@given(st.lists(st.text(max_size=2000), max_size=20))
def test_the_receiver_gets_the_text_that_was_written(written: list[str]) -> None:
    async def send() -> Sent:
        sent: Sent = []
        writer = stream(sent)
        for text in written:
            writer.write(text)
        writer.end("ok")
        return sent

    receiver = StreamReceiver()
    take = {"stream_start": receiver.start, "stream_data": receiver.data}
    sent = asyncio.run(send())
    parts = [take[name](params) for name, params in sent[:-1]][1:]
    assert receiver.end(sent[-1][1]) == "".join(parts) == "".join(written)


def data(sequence: object, chunk: object = "x", stream_id: object = "s") -> dict[str, object]:
    return {"stream_id": stream_id, "chunk": chunk, "sequence": sequence}


@pytest.mark.parametrize("sequence", [2, 0, -1, "1", None, 1.5, True])
def test_a_part_out_of_turn_ends_the_stream(sequence: object) -> None:
    receiver = StreamReceiver()
    receiver.start(START)
    with pytest.raises(Conflict, match="Part 1"):
        receiver.data(data(sequence))
    with pytest.raises(InvalidParams):
        receiver.data(data(1))


def test_a_part_that_comes_twice_ends_the_stream() -> None:
    receiver = StreamReceiver()
    receiver.start(START)
    receiver.data(data(1))
    with pytest.raises(Conflict, match="Part 2"):
        receiver.data(data(1))


@pytest.mark.parametrize("total", [0, 2, "1", None])
def test_an_end_before_the_last_part(total: object) -> None:
    receiver = StreamReceiver()
    receiver.start(START)
    receiver.data(data(1))
    with pytest.raises(Conflict, match="end"):
        receiver.end({"stream_id": "s", "total_chunks": total})


def test_what_is_no_message_of_a_stream() -> None:
    receiver = StreamReceiver()
    for refused in ({}, {"stream_id": 3}, {"stream_id": None}):
        with pytest.raises(InvalidParams):
            receiver.start(refused)
    receiver.start(START)
    with pytest.raises(Conflict):
        receiver.start(START)
    for chunk in (3, None, ["x"]):
        with pytest.raises(InvalidParams):
            receiver.data(data(1, chunk))
    with pytest.raises(InvalidParams):
        receiver.data(data(1, stream_id="other"))


def test_the_receiver_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_streams, "MAX_TEXT", 10)
    receiver = StreamReceiver()
    for number in range(MAX_OPEN):
        receiver.start({"stream_id": f"s{number}", "task_id": 1})
    with pytest.raises(TooLarge):
        receiver.start(START)
    receiver.data(data(1, "x" * 10, "s0"))
    with pytest.raises(TooLarge):
        receiver.data(data(2, "x", "s0"))
    receiver.start(START)


JSON = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers())
MESSAGES = st.dictionaries(
    st.sampled_from(["stream_id", "chunk", "sequence", "total_chunks", "status"]), JSON
)


@given(st.lists(st.tuples(st.sampled_from(["start", "data", "end"]), MESSAGES)))
def test_no_message_is_too_strange(messages: list[tuple[str, dict[str, object]]]) -> None:
    receiver = StreamReceiver()
    for name, params in messages:
        try:
            getattr(receiver, name)(params)
        except AcError:
            continue
