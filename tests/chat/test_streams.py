import asyncio

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.streams import ActiveStream, GrowingText, utf16_length
from jupyter_ac.events import CompactionEvent, TurnProgress
from jupyter_ac.ids import RequestId
from tests.chat.memory import Recorder, completion

NAME = RequestId("1-a")


def test_the_text_grows_and_followers_are_told_that_it_does() -> None:
    stream, follower = ActiveStream(NAME), Recorder()
    stream.append("one ")
    stream.follow("page", follower)
    stream.append("two")
    stream.append("")
    assert stream.text == "one two"
    assert stream.answer.length == 7
    assert follower.told == ["grew"]


def test_a_second_follower_under_one_key_takes_the_place_of_the_first() -> None:
    stream, first, second = ActiveStream(NAME), Recorder(), Recorder()
    stream.follow("page", first)
    stream.follow("page", second)
    stream.append("x")
    assert first.told == ["dropped"]
    assert second.told == ["grew"]
    assert list(stream.followers) == ["page"]


def test_progress_carries_the_request_and_its_facts() -> None:
    stream, follower = ActiveStream(NAME), Recorder()
    stream.follow("page", follower)
    stream.progress("reading", "Reading …", percent=40)
    event = TurnProgress(stage="reading", message="Reading …", percent=40)
    assert follower.told == [CompactionEvent(NAME, event)]


def test_the_end_is_told_once() -> None:
    stream, follower = ActiveStream(NAME), Recorder()
    stream.follow("page", follower)
    first, second = completion(NAME, "x"), completion(NAME, "y")
    stream.end(first)
    stream.end(second)
    assert follower.told == [first]


async def test_stopping_cancels_the_work() -> None:
    stream = ActiveStream(NAME)

    async def forever() -> None:
        await asyncio.Event().wait()

    work = asyncio.create_task(forever())
    stream.runs_in(work)
    stream.stop()
    await asyncio.wait({work}, timeout=30)
    assert work.cancelled()
    assert stream.stopped


def test_a_character_beyond_the_first_plane_has_two_units() -> None:
    assert utf16_length("a😀é") == 4
    assert utf16_length("\udcff") == 1


def test_reasoning_grows_apart_from_the_answer() -> None:
    stream, follower = ActiveStream(NAME), Recorder()
    stream.follow("page", follower)
    stream.thoughts.append("hm ")
    stream.append("one")
    stream.thoughts.append("well")
    assert (stream.thoughts.text, stream.text, stream.answer.length) == ("hm well", "one", 3)
    assert follower.told == ["grew", "grew", "grew"]


@given(st.lists(st.text(max_size=5), max_size=20), st.data())
def test_what_follows_a_place_of_a_growing_text(pieces: list[str], data: st.DataObject) -> None:
    growing, whole = GrowingText(lambda: None), ""
    for piece in pieces:
        growing.append(piece)
        whole += piece
        start = data.draw(st.integers(0, len(whole)))
        assert growing.since(start) == whole[start:]
        if data.draw(st.booleans()):
            assert growing.text == whole
