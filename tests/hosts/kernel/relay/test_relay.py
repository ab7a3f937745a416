"""The kernel's relay between a page and a host, both played by the test, in real threads."""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.hosts.kernel.child.links import Ends
from jupyter_ac.hosts.kernel.relay import relay as module
from jupyter_ac.hosts.kernel.relay.endpoint import End, Envelope
from jupyter_ac.hosts.kernel.relay.envelopes import Carrying, carrying, read_message
from jupyter_ac.hosts.kernel.relay.pump import Message
from jupyter_ac.hosts.kernel.relay.relay import Relay
from jupyter_ac.hosts.kernel.relay.resend_window import FrameRun

WAIT_S = 90


@dataclass
class FakeLink:
    """What the relay has opened at the host."""

    client: str
    on_frame: Callable[[str], None]
    on_close: Callable[[int, str], None]
    frames: list[str] = field(default_factory=list)
    came: threading.Event = field(default_factory=threading.Event)
    closed: threading.Event = field(default_factory=threading.Event)

    def send(self, frame: str) -> None:
        self.frames.append(frame)
        self.came.set()
        if frame != "silence":
            self.on_frame(f"echo {frame}")

    def close(self) -> None:
        self.closed.set()


@dataclass
class FakeHost:
    """Answers every frame with an echo."""

    links: dict[str, FakeLink] = field(default_factory=dict)
    refusal: str = ""

    def open(self, link: str, ends: Ends, *, client: str = "") -> FakeLink:
        if self.refusal:
            raise NotReady(self.refusal)
        self.links[link] = FakeLink(client, ends.on_frame, ends.on_close)
        return self.links[link]


class Kernel:
    """A relay with its host; what it sends is looked at message by message."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self.host = FakeHost()
        self.sent: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.relay = Relay(lambda: self.host, self.sent.put, loop)

    def open(self, link: str = "view") -> Message:
        self.relay.receive({"type": "relay.open", "link": link, "client": "tab"})
        return self.next()

    def next(self) -> Message:
        return self.sent.get(timeout=WAIT_S)

    def until(self, kind: str, link: str = "view") -> Message:
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            message = self.next()
            if message["type"] == kind and message["link"] == link:
                return message
        raise TimeoutError(kind)


class Page:
    """The page's end of one link, driven by hand."""

    def __init__(self, kernel: Kernel, link: str = "view") -> None:
        self.kernel = kernel
        self.link = link
        self.end = End()
        self.got: list[str] = []
        kernel.open(link)

    def send(self, *frames: str) -> None:
        for frame in frames:
            self.end.push(frame)
        self.poll()

    def poll(self) -> None:
        envelope = self.end.poll(time.monotonic())
        if envelope is not None:
            self.kernel.relay.receive(carrying(self.link, envelope))

    def hear(self, message: Message) -> None:
        read = read_message(message)
        assert isinstance(read, Carrying)
        self.got += self.end.receive(read.envelope, time.monotonic())

    def hear_until(self, count: int, lose: Callable[[int], bool] = lambda _: False) -> int:
        """Hear messages, but for those that are lost, until so many frames have come."""
        number = 0
        deadline = time.monotonic() + WAIT_S
        while len(self.got) < count:
            assert time.monotonic() < deadline
            try:
                message = self.kernel.sent.get(timeout=0.1)
            except queue.Empty:
                self.poll()
                continue
            number += 1
            if not lose(number):
                self.hear(message)
                self.poll()
        return number


@pytest.fixture
def kernel() -> Iterator[Kernel]:
    kernel = Kernel()
    yield kernel
    kernel.relay.close()


def test_a_link_is_opened_answered_and_closed(kernel: Kernel) -> None:
    answer = kernel.open()
    assert answer == {"type": "relay", "link": "view", "seq": 1, "ack": 0, "frames": []}
    link = kernel.host.links["view"]
    assert link.client == "tab"
    kernel.relay.receive({"type": "relay.close", "link": "view"})
    assert link.closed.wait(WAIT_S)


def test_frames_travel_both_ways_in_order(kernel: Kernel) -> None:
    page = Page(kernel)
    page.send("a", "b", "c")
    page.hear_until(3)
    assert page.got == ["echo a", "echo b", "echo c"]


def test_a_frame_longer_than_a_message_arrives_whole(kernel: Kernel) -> None:
    page = Page(kernel)
    frame = "😀x" * (3 << 19)
    page.send(frame)
    while page.end.outgoing.is_pending:
        page.poll()
    messages = page.hear_until(1)
    assert page.got == [f"echo {frame}"]
    assert messages >= 3


def test_a_second_opening_is_only_an_answer(kernel: Kernel) -> None:
    kernel.open()
    link = kernel.host.links["view"]
    assert kernel.open()["frames"] == []
    assert kernel.host.links["view"] is link


def test_lost_messages_come_again(kernel: Kernel) -> None:
    page = Page(kernel)
    for number in range(40):
        page.send(f"{number}")
    lost = page.hear_until(40, lose=lambda number: number in {1, 2, 4})
    assert page.got == [f"echo {number}" for number in range(40)]
    assert page.end.incoming.repeated == 0
    assert lost > 3


def test_messages_of_the_page_may_overtake_each_other(kernel: Kernel) -> None:
    page = Page(kernel)
    envelopes = []
    for number in range(5):
        page.end.push(f"{number}")
        envelopes.append(page.end.poll(time.monotonic()))
    for envelope in [*reversed(envelopes), *envelopes]:
        assert envelope is not None
        kernel.relay.receive(carrying("view", envelope))
    page.hear_until(5)
    assert page.got == [f"echo {number}" for number in range(5)]


def test_a_host_that_closes_the_link_says_why(kernel: Kernel) -> None:
    kernel.open()
    kernel.host.links["view"].on_close(4404, "There is no git repository here.")
    closed = kernel.until("relay.closed")
    assert (closed["code"], closed["reason"]) == (4404, "There is no git repository here.")
    kernel.open("other")
    kernel.host.links["other"].on_close(1006, "the child has ended")
    assert kernel.until("relay.closed", "other")["code"] == 1011


def test_a_host_that_cannot_start_is_a_closed_link(kernel: Kernel) -> None:
    kernel.host.refusal = "there is no jupyter ac"
    closed = kernel.open()
    assert (closed["type"], closed["reason"]) == ("relay.closed", "there is no jupyter ac")
    kernel.host.refusal = ""
    assert kernel.open("again")["type"] == "relay"


def test_a_link_that_nobody_knows_is_closed(kernel: Kernel) -> None:
    kernel.relay.receive(carrying("stranger", Envelope(FrameRun(1), ping=True)))
    assert kernel.until("relay.closed", "stranger")["code"] == 1001


def test_a_link_does_not_open_again_after_its_end(kernel: Kernel) -> None:
    kernel.open()
    kernel.relay.receive({"type": "relay.close", "link": "view"})
    assert kernel.open()["type"] == "relay.closed"
    kernel.relay.receive({"type": "relay.close", "link": "late"})
    assert kernel.open("late")["type"] == "relay.closed"
    assert set(kernel.host.links) == {"view"}


def test_two_views_do_not_hear_each_other(kernel: Kernel) -> None:
    one, other = Page(kernel, "one"), Page(kernel, "other")
    one.send("a")
    kernel.host.links["other"].on_frame("only here")
    frames: dict[object, list[object]] = {"one": [], "other": []}
    while not all(frames.values()):
        message = kernel.next()
        parts = message["frames"]
        assert isinstance(parts, list)
        frames[message["link"]] += parts
    assert frames == {"one": ["echo a"], "other": ["only here"]}
    assert other.got == []


def test_too_many_views_cost_the_oldest_its_link(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_LINKS", 2)
    for link in ("a", "b", "c"):
        kernel.relay.receive({"type": "relay.open", "link": link, "client": ""})
    assert kernel.until("relay.closed", "a")["code"] == 1013
    assert kernel.host.links["a"].closed.wait(WAIT_S)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let questions follow each other quickly."""
    monkeypatch.setattr("jupyter_ac.hosts.kernel.relay.endpoint.PING_S", 0.05)
    monkeypatch.setattr("jupyter_ac.hosts.kernel.relay.endpoint.PING_MAX_S", 0.05)


@pytest.mark.usefixtures("hasty")
def test_a_page_that_has_vanished_is_found_out() -> None:
    kernel = Kernel()
    kernel.open()
    link = kernel.host.links["view"]
    link.on_frame("news")
    assert kernel.until("relay.closed")["code"] == 1001
    assert link.closed.wait(WAIT_S)
    kernel.relay.close()


@pytest.mark.usefixtures("hasty")
def test_a_new_page_finds_out_the_one_that_has_vanished() -> None:
    kernel = Kernel()
    kernel.open("old")
    kernel.open("new")
    assert kernel.until("relay.closed", "old")["code"] == 1001
    kernel.relay.close()


@pytest.mark.usefixtures("hasty")
async def test_while_the_kernel_is_busy_no_page_counts_as_vanished() -> None:
    loop = asyncio.get_running_loop()
    kernel = Kernel(loop)
    kernel.open()
    kernel.host.links["view"].on_frame("news")
    # As a cell does: this thread, the kernel's main one, runs no loop meanwhile.
    for _ in range(4 * module.SILENT_PINGS):
        assert kernel.until("relay").get("type") == "relay"
    assert not kernel.host.links["view"].closed.is_set()
    closed = await asyncio.to_thread(kernel.until, "relay.closed")
    assert closed["code"] == 1001
    kernel.relay.close()


def test_what_is_no_message_of_the_relay_s_changes_nothing(kernel: Kernel) -> None:
    kernel.relay.receive({"type": "relay", "link": "view"})
    assert kernel.open()["type"] == "relay"


def test_the_end_of_the_widget_ends_all_links(kernel: Kernel) -> None:
    kernel.open("a")
    kernel.open("b")
    kernel.relay.close()
    for link in kernel.host.links.values():
        assert link.closed.wait(WAIT_S)
