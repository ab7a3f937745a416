"""A link under one of our own peers."""

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.hosts.kernel.child.transport import LinkTransport


class Wire:
    """Notes what is sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.closed = 0

    def send(self, frame: str) -> None:
        self.sent.append(frame)

    def close(self) -> None:
        self.closed += 1


def joined() -> tuple[LinkTransport, Wire]:
    transport, wire = LinkTransport(), Wire()
    transport.link = wire
    return transport, wire


async def test_frames_that_came_before_the_end_are_given_first() -> None:
    transport, _ = joined()
    transport.put("1")
    transport.put("2")
    transport.lost(4404, "no repository")
    assert [await transport.receive(), await transport.receive()] == ["1", "2"]
    with pytest.raises(ConnectionClosed, match="no repository") as caught:
        await transport.receive()
    assert caught.value.close_code == 4404


async def test_it_sends_and_closes_once() -> None:
    transport, wire = joined()
    transport.send("1", newest_key="x")
    await transport.close()
    await transport.close()
    assert (wire.sent, wire.closed) == (["1"], 1)
    with pytest.raises(ConnectionClosed):
        await transport.receive()


async def test_what_the_other_side_closed_is_not_closed_again() -> None:
    transport, wire = joined()
    transport.lost(1006, "gone")
    await transport.close()
    assert wire.closed == 0
