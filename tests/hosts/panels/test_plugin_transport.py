"""The host's end of a plugin's pipe: paced and bounded."""

import asyncio
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.panels import plugin_transport
from jupyter_ac.hosts.panels.plugin_transport import (
    BURST_S,
    BYTES_PER_S,
    FRAMES_PER_S,
    MAX_FRAME_BYTES,
    Pace,
    PluginTransport,
)
from tests.panels.shown import turns


class Inner:
    """Gives frames that a test has laid out, and keeps what is sent."""

    def __init__(self, frames: Iterable[str | bytes] = ()) -> None:
        self.frames = list(frames)
        self.sent: list[str] = []
        self.queued_bytes = 0
        self.closed: list[int] = []

    async def receive(self) -> str | bytes:
        if not self.frames:
            raise ConnectionClosed("the end")
        return self.frames.pop(0)

    def send(self, frame: str, *, newest_key: str | None = None) -> None:
        del newest_key
        self.sent.append(frame)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        del reason
        self.closed.append(code)


async def test_what_is_no_message_is_given_elsewhere() -> None:
    texts: list[bytes] = []
    frames: list[str | bytes] = ["hello", b"  {", "", " [1]", "Warning: {}"]
    transport = PluginTransport(Inner(frames), texts.append)
    assert [await transport.receive(), await transport.receive()] == [b"  {", " [1]"]
    with pytest.raises(ConnectionClosed, match="the end"):
        await transport.receive()
    assert texts == [b"hello", b"", b"Warning: {}"]


async def test_all_of_it_is_passed_on_where_the_protocol_sorts_it_out() -> None:
    transport = PluginTransport(Inner(["hello"]))
    assert await transport.receive() == "hello"


@pytest.mark.parametrize("frame", ["x" * (MAX_FRAME_BYTES + 1), "é" * (MAX_FRAME_BYTES // 2 + 1)])
async def test_a_message_that_is_too_long_ends_the_connection(frame: str) -> None:
    with pytest.raises(ConnectionClosed, match="more than 2 MiB") as caught:
        await PluginTransport(Inner([frame])).receive()
    assert caught.value.close_code == 1009


async def test_what_is_left_unread_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_transport, "MAX_QUEUED_BYTES", 10)
    inner, overflows = Inner(["{}"]), list[str]()
    transport = PluginTransport(inner, on_overflow=lambda: overflows.append("now"))
    transport.send("one")
    inner.queued_bytes = 11
    transport.send("two")
    transport.send("three")
    await turns()
    assert (inner.sent, inner.closed, overflows) == (["one"], [1013], ["now"])
    with pytest.raises(ConnectionClosed, match="does not read"):
        await transport.receive()
    await transport.close(1000)
    assert inner.closed == [1013, 1000]


async def test_an_overflow_explains_an_end_that_it_brings_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plugin_transport, "MAX_QUEUED_BYTES", 10)
    ends = asyncio.Event()

    class Ending(Inner):
        async def receive(self) -> str | bytes:
            await ends.wait()
            return await super().receive()

    inner = Ending()
    transport = PluginTransport(inner, on_overflow=ends.set)
    receiving = asyncio.create_task(transport.receive())
    await turns()
    inner.queued_bytes = 11
    transport.send("two")
    with pytest.raises(ConnectionClosed, match="does not read"):
        await receiving


async def test_a_flood_waits_as_long_as_the_pace_says() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    transport = PluginTransport(Inner(["{}"] * 2_000), sleep=sleep)
    for _ in range(2_000):
        await transport.receive()
    assert waits
    assert max(waits) > 1


@given(st.lists(st.tuples(st.floats(0, 0.1), st.integers(0, MAX_FRAME_BYTES)), max_size=50))
def test_the_pace_allows_no_more_than_its_rates(frames: list[tuple[float, int]]) -> None:
    now_s = 50.0
    pace = Pace(lambda: now_s)
    cost_s = 0.0
    for gap_s, size in frames:
        now_s += gap_s
        cost_s += 1 / FRAMES_PER_S + size / BYTES_PER_S
        now_s += pace.count(size)
        assert now_s - 50.0 + BURST_S >= cost_s - 1e-6


def test_a_pace_that_is_kept_never_waits() -> None:
    now_s = 0.0
    pace = Pace(lambda: now_s)
    for _ in range(1_000):
        now_s += 1 / 60
        assert pace.count(64 * 1024) == 0
