"""The fan-out to pages: joined, paced, and nothing piles up for a slow one."""

import asyncio
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.panels import frame_pacer
from jupyter_ac.services.panels import page_views
from jupyter_ac.services.panels.page_view import BACKLOG_BYTES
from jupyter_ac.services.panels.page_views import MAX_LINES, PageViews
from tests.panels.shown import turns, until
from tests.services.panels.fake_pages import FakePage, text, tree

if TYPE_CHECKING:
    from collections.abc import Callable


class Asked:
    """Counts how often the tree was asked for, and gives it."""

    def __init__(self) -> None:
        self.times = 0
        self.views = PageViews("fake", self.ask)
        self.words = ""

    def ask(self) -> None:
        self.times += 1
        self.views.update_tree(tree(self.words))

    def replace(self, words: str) -> None:
        self.words = words
        self.views.update_tree(tree(words))

    def show(self, words: str) -> None:
        self.words = words
        self.views.apply_mutations(text(words))


async def test_changes_within_a_frame_are_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, page = Asked(), FakePage()
    asked.views.join(page, knows_moves=True)
    asked.views.update_tree(tree("a"))
    await turns()
    monkeypatch.setattr(frame_pacer, "FRAME_S", 3_600.0)
    for number in range(10_000):
        asked.show(str(number))
        if not number % 1_000:
            await turns()
    # At once, what came before the loop went round for the first time; the rest is not due yet.
    assert page.host.names() == ["updateTree", "applyMutations"]
    assert page.host.text() == "0"
    asked.views.flush()
    assert page.host.text() == "9999"
    assert len(page.host.sent) == 3
    asked.views.close()


async def test_a_slow_page_is_left_out_and_then_gets_one_tree() -> None:
    asked, slow, fast = Asked(), FakePage(), FakePage()
    for page in (slow, fast):
        asked.views.join(page, knows_moves=True)
    asked.views.update_tree(tree("a"))
    await turns()
    slow.unread = BACKLOG_BYTES + 1
    for number in range(50):
        asked.show(str(number))
        await turns()
    assert len(slow.host.sent) == 1
    assert fast.host.text() == "49"
    assert asked.times == 0
    slow.unread = 0
    await until(lambda: slow.host.text() == "49")
    assert asked.times == 1
    assert slow.host.names() == ["updateTree", "updateTree"]
    asked.show("50")
    await turns()
    assert slow.host.text() == fast.host.text() == "50"
    asked.views.close()


async def test_a_batch_that_is_too_long_becomes_a_tree() -> None:
    asked, page = Asked(), FakePage()
    asked.views.join(page, knows_moves=True)
    asked.views.update_tree(tree("a"))
    await turns()
    asked.words = "last"
    asked.views.apply_mutations(text("x") * 20_001)
    await turns()
    assert page.host.text() == "last"
    assert page.host.names() == ["updateTree", "updateTree"]
    asked.views.close()


async def test_lines_are_bounded_by_frame() -> None:
    asked, page = Asked(), FakePage()
    asked.views.join(page, knows_moves=True)
    for number in range(1_000):
        asked.views.log("info", [number])
        asked.views.report_error({"message": "again"})
    await until(lambda: len(page.host.logs) + len(page.host.errors) == MAX_LINES + 1)
    assert page.host.logs[-1] == ("warn", [f"{2_000 - MAX_LINES:,} more lines were left out."])
    asked.views.close()


async def test_a_page_that_leaves_gets_nothing_more() -> None:
    asked, page = Asked(), FakePage()
    asked.views.join(page, knows_moves=False)
    assert page in asked.views
    assert not asked.views.all_know_moves
    asked.views.leave(page)
    asked.views.update_tree(tree("a"))
    await turns()
    assert page.host.sent == []
    assert len(asked.views) == 0
    asked.views.close()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("text"), st.integers(0, 99)),
        st.tuples(st.just("tree"), st.integers(0, 99)),
        st.tuples(st.just("unread"), st.sampled_from([0, BACKLOG_BYTES + 1])),
        st.tuples(st.just("frame"), st.just(0)),
    ),
    max_size=40,
)


@given(STEPS)
def test_each_page_shows_what_was_shown_last(steps: list[tuple[str, int]]) -> None:
    async def play() -> None:
        asked, one, two = Asked(), FakePage(), FakePage()
        actions: dict[str, Callable[[int], object]] = {
            "text": lambda number: asked.show(str(number)),
            "tree": lambda number: asked.replace(str(number)),
            "unread": lambda size: setattr(one, "unread", size),
        }
        for page in (one, two):
            asked.views.join(page, knows_moves=True)
        asked.views.update_tree(tree(""))
        for name, value in steps:
            if name == "frame":
                await turns()
            else:
                actions[name](value)
        one.unread = 0
        await turns()
        await until(lambda: one.host.text() == two.host.text() == asked.words)
        asked.views.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_views, "_LOOK_AGAIN_S", 0.001)
        patch.setattr(frame_pacer, "FRAME_S", 0.0)
        asyncio.run(play())
