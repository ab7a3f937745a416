"""The queue of frames for a slow receiver."""

import pytest

from jupyter_ac.rpc.outbox import Outbox


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


def test_a_frame_may_be_the_way_to_spell_it() -> None:
    box = Outbox()
    box.push(lambda: "later", 100)
    assert box.size_bytes == 100
    spell = box.pop()
    assert not isinstance(spell, str)
    assert spell() == "later"


def test_clearing_forgets_frames_keys_and_size() -> None:
    box = Outbox()
    box.push("1", 1, "key")
    box.clear()
    assert (len(box), box.size_bytes) == (0, 0)
    box.push("2", 1, "key")
    assert box.pop() == "2"


def test_it_tells_of_each_frame_that_leaves() -> None:
    told: list[int] = []
    box = Outbox(lambda: told.append(len(box)))
    box.push("aa", 2)
    box.push("b", 1)
    box.pop()
    box.pop()
    assert told == [1, 0]
