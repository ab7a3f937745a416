import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.errors import AcError, GitError, NotReady
from jupyter_ac.events import FilesModified, ModeChanged
from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.ids import ConversationKey, Identity, RepoPath
from jupyter_ac.services.state_feed.feed import StateFeed
from jupyter_ac.services.state_feed.feeds import MOST_FEEDS, ConversationFeeds
from jupyter_ac.services.state_feed.source import StateSource
from tests.chat.memory import ADA, World, open_world
from tests.services.llm.pages import Service, serving

KEY = ConversationKey(ADA)
BOBS = ConversationKey(Identity("bob"))
MODE = ModeChanged({"mode": "doc", "cross_ref_enabled": False})


@asynccontextmanager
async def feeds_of(service: Service) -> AsyncIterator[ConversationFeeds]:
    source = StateSource("repo", service.domain.ports, lambda: NO_REVIEW)
    feeds = ConversationFeeds(service.domain.book, source)
    service.domain.audience.observe(feeds.notice)
    try:
        yield feeds
    finally:
        await feeds.aclose()


class Follower:
    """Waits for revisions."""

    def __init__(self, feed: StateFeed) -> None:
        self.feed = feed
        self.woken = 0
        self._event = asyncio.Event()
        feed.followers.add(self.wake)

    def wake(self) -> None:
        self.woken += 1
        self._event.set()

    async def change(self) -> bytes:
        async with asyncio.timeout(30):
            await self._event.wait()
        self._event.clear()
        return self.feed.frame()


async def test_a_change_of_the_selection_is_told() -> None:
    async with serving(open_world({"a.py": "1"})) as service, feeds_of(service) as feeds:
        follower = Follower(await feeds.feed(KEY))
        first = follower.feed.revision
        await (await service.page()).call("set_selected_files", ["a.py"])
        assert b'"selected_files":["a.py"]' in await follower.change()
        assert follower.feed.revision == first + 1


async def test_an_answer_is_told_when_it_begins_and_when_it_is_complete() -> None:
    async with serving(open_world()) as service, feeds_of(service) as feeds:
        follower = Follower(await feeds.feed(KEY))
        service.world.model.held = True
        await (await service.page()).ask("chat_streaming", "1-a", "Why?")
        feeds.changed(KEY)  # the workspace's bus tells it
        assert b'"active_streams":["1-a"]' in await follower.change()
        service.world.model.release.set()
        while b'"message_count":2' not in follower.feed.frame():
            await follower.change()
        assert b'"active_streams":[]' in follower.feed.frame()


async def test_many_changes_at_once_are_one_revision() -> None:
    async with serving(World()) as service, feeds_of(service) as feeds:
        follower = Follower(await feeds.feed(KEY))
        first = follower.feed.revision
        for _ in range(50):
            service.domain.audience.publish(FilesModified(["a.py"]))
        assert b'"files_version":50' in await follower.change()
        assert follower.feed.revision == first + 1


async def test_what_changes_nothing_is_told_to_nobody() -> None:
    async with serving(World()) as service, feeds_of(service) as feeds:
        follower = Follower(await feeds.feed(KEY))
        service.domain.audience.publish(MODE, KEY)
        service.domain.audience.publish(FilesModified([]), KEY)
        await follower.change()
        assert follower.woken == 1


async def test_nobody_hears_of_somebody_else_s_conversation() -> None:
    async with serving(World()) as service, feeds_of(service) as feeds:
        adas, bobs = Follower(await feeds.feed(KEY)), Follower(await feeds.feed(BOBS))
        conversation = await service.domain.book.open(BOBS)
        conversation.selection = (RepoPath("b.py"),)
        feeds.changed(BOBS)
        await bobs.change()
        assert adas.woken == 0
        assert adas.feed.revision != bobs.feed.revision


async def test_who_comes_back_meets_the_feed_with_what_has_changed_meanwhile() -> None:
    async with serving(World()) as service, feeds_of(service) as feeds:
        follower = Follower(await feeds.feed(KEY))
        seen = follower.feed.revision
        follower.feed.followers.discard(follower.wake)
        for _ in range(3):
            service.domain.audience.publish(FilesModified(["a.py"]))
        again = await feeds.feed(KEY)
        assert again is follower.feed
        assert (again.revision, again.recognise(str(seen))) == (seen + 1, seen)
        assert b'"files_version":3' in again.frame(seen)


async def test_of_many_feeds_those_that_nobody_follows_are_forgotten_first() -> None:
    async with serving(World()) as service, feeds_of(service) as feeds:
        followed = Follower(await feeds.feed(KEY))
        idle = await feeds.feed(BOBS)
        for number in range(MOST_FEEDS):
            await feeds.feed(ConversationKey(Identity(f"u{number}")))
        assert await feeds.feed(KEY) is followed.feed
        assert await feeds.feed(BOBS) is not idle


async def test_a_state_that_cannot_be_read_is_logged_and_the_next_change_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failures: list[Exception] = [GitError("no git"), ZeroDivisionError()]
    read = StateSource.read

    def failing(source: StateSource, conversation: Conversation) -> dict[str, object]:
        if failures:
            raise failures.pop()
        return read(source, conversation)

    async with serving(World()) as service, feeds_of(service) as feeds:
        follower = Follower(await feeds.feed(KEY))
        monkeypatch.setattr(StateSource, "read", failing)
        while failures:
            service.domain.audience.publish(FilesModified(["a.py"]))
            await asyncio.sleep(0.001)
        service.domain.audience.publish(FilesModified(["a.py"]))
        await follower.change()
    assert "can't be read: no git" in caplog.text
    assert "ZeroDivisionError" in caplog.text


async def test_at_the_end_followers_are_told_and_nobody_else_comes() -> None:
    async with serving(World()) as service, feeds_of(service) as feeds:
        follower = Follower(await feeds.feed(KEY))
        service.domain.audience.publish(FilesModified(["a.py"]))
        await feeds.aclose()
        assert follower.feed.is_closed
        assert follower.woken == 1
        with pytest.raises(NotReady) as caught:
            await feeds.feed(KEY)
        assert isinstance(caught.value, AcError)
        service.domain.audience.publish(FilesModified(["a.py"]))
