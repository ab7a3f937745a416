"""The queue of frames for a slow receiver."""

import asyncio
import threading

import pytest

from jupyter_ac.rpc.outbox import Outbox, as_text


def test_frames_come_out_in_order_and_are_counted() -> None:
    box = Outbox()
    box.push("aa", 2)
    box.push("b", 1)
    assert (len(box), box.size_bytes) == (2, 3)
    assert [box.pop(), box.pop()] == ["aa", "b"]
    assert (len(box), box.size_bytes) == (0, 0)
    with pytest.raises(IndexError):
        box.pop()


def test_a_newer_frame_takes_the_place_of_the_older_one_of_its_key() -> None:
    box = Outbox()
    box.push("chunk 1", 7, "chunk")
    box.push("other", 5)
    box.push("chunk 1 and 2", 13, "chunk")
    assert (len(box), box.size_bytes) == (2, 18)
    assert [box.pop(), box.pop()] == ["chunk 1 and 2", "other"]


def test_a_frame_that_has_left_is_not_replaced() -> None:
    box = Outbox()
    box.push("1", 1, "key")
    assert box.pop() == "1"
    box.push("2", 1, "key")
    box.push("3", 1, "other key")
    assert [box.pop(), box.pop()] == ["2", "3"]


async def test_a_frame_may_be_the_way_to_spell_it() -> None:
    box = Outbox()
    box.push(lambda: "later", 100)
    assert box.size_bytes == 100
    spell = box.pop()
    assert await as_text(spell) == "later"


async def test_a_frame_that_is_being_spelt_counts_in_the_end_with_its_true_size() -> None:
    box, counted = Outbox(), asyncio.Event()
    box.push_spelling(lambda: "é" * 50, 7, counted.set)
    assert box.size_bytes == 7
    async with asyncio.timeout(30):
        await counted.wait()
    assert box.size_bytes == 100
    assert await as_text(box.pop()) == "é" * 50
    assert box.size_bytes == 0


async def test_a_frame_that_was_taken_before_it_is_spelt_counts_no_more() -> None:
    box, may_spell = Outbox(), threading.Event()

    def spell() -> str:
        may_spell.wait(30)
        return "x" * 100

    def counted() -> None:
        raise AssertionError("it waits no more")

    box.push_spelling(spell, 7, counted)
    taken = box.pop()
    assert box.size_bytes == 0
    may_spell.set()
    assert await as_text(taken) == "x" * 100
    assert box.size_bytes == 0


def test_clearing_forgets_frames_keys_and_size() -> None:
    box = Outbox()
    box.push("1", 1, "key")
    box.clear()
    assert (len(box), box.size_bytes) == (0, 0)
    box.push("2", 1, "key")
    assert box.pop() == "2"


def test_it_tells_of_each_frame_that_leaves() -> None:
    received: list[int] = []
    box = Outbox(lambda: received.append(len(box)))
    box.push("aa", 2)
    box.push("b", 1)
    box.pop()
    box.pop()
    assert received == [1, 0]
