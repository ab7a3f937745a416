"""Two transports connected in memory."""

import asyncio

import pytest

from jupyter_ac.errors import ConnectionClosed
from jupyter_ac.rpc.direct import DirectTransport, direct_pair
from tests.rpc.pairs import WAIT_S


async def test_frames_arrive_in_order_in_both_directions() -> None:
    one, two = direct_pair()
    for text in ("a", "b"):
        one.send(text)
        two.send(text.upper())
    assert [await two.receive(), await two.receive()] == ["a", "b"]
    assert [await one.receive(), await one.receive()] == ["A", "B"]


async def test_a_waiting_receiver_is_woken() -> None:
    one, two = direct_pair()
    waiting = asyncio.create_task(two.receive())
    await asyncio.sleep(0)
    one.send("x")
    async with asyncio.timeout(WAIT_S):
        assert await waiting == "x"


async def test_the_newest_frame_of_a_key_is_the_one_received() -> None:
    one, two = direct_pair()
    one.send("old", newest_key="k")
    one.send("new", newest_key="k")
    one.send("end")
    assert [await two.receive(), await two.receive()] == ["new", "end"]


async def test_frames_before_a_close_are_still_given_and_the_code_after_them() -> None:
    one, two = direct_pair()
    waiting = asyncio.create_task(one.receive())
    await asyncio.sleep(0)
    one.send("last words")
    await one.close(4404, "no repository")
    one.send("too late")
    assert await two.receive() == "last words"
    for end in (two.receive(), waiting):
        with pytest.raises(ConnectionClosed, match="no repository") as caught:
            await end
        assert caught.value.close_code == 4404
    await two.close()


async def test_an_end_that_is_not_joined_sends_nowhere() -> None:
    lonely = DirectTransport()
    lonely.send("x")
    await lonely.close()
    with pytest.raises(ConnectionClosed):
        await lonely.receive()
