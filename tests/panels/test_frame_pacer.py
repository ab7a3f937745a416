"""The pace of work that many changes ask for."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.panels import PanelRuntime, PanelView, frame_pacer
from jupyter_ac.panels.frame_pacer import FramePacer
from tests.panels.memory_host import MemoryHost
from tests.panels.shown import counter, turns

if TYPE_CHECKING:
    import asyncio

FRAME_S = 1 / 60


class FakeLoop:
    """A loop whose clock goes on when a test says so."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.due: list[tuple[float, Callable[[], None], FakeHandle]] = []

    def time(self) -> float:
        return self.now_s

    def call_soon(self, work: Callable[[], None]) -> "FakeHandle":
        return self.call_at(self.now_s, work)

    def call_at(self, when_s: float, work: Callable[[], None]) -> "FakeHandle":
        handle = FakeHandle()
        self.due.append((when_s, work, handle))
        return handle

    def advance(self, seconds: float) -> None:
        """Do what is due within these seconds, in order."""
        end_s = self.now_s + seconds
        while ready := sorted((one for one in self.due if one[0] <= end_s), key=lambda one: one[0]):
            self.due.remove(ready[0])
            self.now_s = max(self.now_s, ready[0][0])
            if not ready[0][2].is_cancelled:
                ready[0][1]()
        self.now_s = end_s


class FakeHandle:
    is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Work:
    """Counts the frames that it makes."""

    def __init__(self) -> None:
        self.loop = FakeLoop()
        self.asyncio_loop = cast("asyncio.AbstractEventLoop", self.loop)
        self.done_s: list[float] = []
        self.pacer = FramePacer(self.do)

    def ask(self) -> None:
        self.pacer.ask(self.asyncio_loop)

    def do(self) -> None:
        self.done_s.append(self.loop.now_s)
        self.pacer.note_frame(self.asyncio_loop)


def paced(gaps_s: list[float]) -> Work:
    """Ask after each of these gaps."""
    work = Work()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frame_pacer, "FRAME_S", FRAME_S)
        for gap_s in gaps_s:
            work.loop.advance(gap_s)
            work.ask()
        work.loop.advance(1)
    return work


def test_the_first_work_is_done_at_once_and_the_next_a_frame_later() -> None:
    work = paced([0, 0, 0.001, 0.001, 1])
    assert work.done_s[:2] == [100.0, 100.0 + FRAME_S]
    assert len(work.done_s) == 3


@given(st.lists(st.floats(0, 0.05), min_size=1, max_size=60))
def test_frames_are_never_closer_and_nothing_that_is_asked_for_is_lost(gaps_s: list[float]) -> None:
    work = paced(gaps_s)
    gaps = [after - before for before, after in zip(work.done_s, work.done_s[1:], strict=False)]
    assert all(gap >= FRAME_S - 1e-9 for gap in gaps)
    last_asked_s = 100.0 + sum(gaps_s)
    assert work.done_s[-1] >= last_asked_s - 1e-9
    assert work.done_s[-1] <= last_asked_s + FRAME_S + 1e-9


def test_what_was_cancelled_is_not_done() -> None:
    work = Work()
    work.ask()
    work.pacer.cancel()
    work.loop.advance(1)
    assert work.done_s == []
    work.ask()
    work.loop.advance(1)
    assert len(work.done_s) == 1


async def test_a_panel_joins_the_changes_of_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_pacer, "FRAME_S", 3_600.0)  # the next one is not due in this test
    app, setters = counter()
    host = MemoryHost()
    runtime = PanelRuntime(app)
    view = PanelView(runtime, host.send)
    await view.initialize({"protocolVersion": 3})
    for number in range(10_000):
        setters[-1](number)
        if not number % 1_000:
            await turns()
    assert host.names() == ["updateTree"]
    view.sync_tree()  # renders what is there
    assert host.text() == "9999"
    assert len(host.sent) == 3
    await view.destroy()
