"""Many links over one process."""

import asyncio
import logging
import socket
import sys
from pathlib import Path

import pytest

from jupyter_ac.hosts.kernel.child.host import HostChild, LoopThread
from jupyter_ac.hosts.kernel.child.links import LOST, Ends, Link
from jupyter_ac.transports.lines import LineLimits, LineTransport, LineWriter
from jupyter_ac.transports.link_lines import Opened
from tests.hosts.kernel.child.ends import LIMIT_S, End


def test_each_link_gets_its_own_frames_in_order(child: HostChild) -> None:
    ends = {name: End() for name in ("echo-a", "echo-b")}
    links = {name: end.open(child, name) for name, end in ends.items()}
    for number in range(200):
        for name, link in links.items():
            link.send(f'["{name}", {number}]')
    for name, end in ends.items():
        assert end.frame() == {"opened": {"client": "", "aside": ""}}
        assert [end.frame() for _ in range(200)] == [[name, number] for number in range(200)]


def test_the_other_side_closes_a_link_and_the_others_stay(child: HostChild) -> None:
    first, second = End(), End()
    link, other = first.open(child, "echo-1"), second.open(child, "echo-2")
    link.send('"close"')
    assert first.closed() == (4000, "as you wish")
    other.send("1")
    assert second.frame() == {"opened": {"client": "", "aside": ""}}
    assert second.frame() == 1
    link.send("2")
    other.send("3")
    assert second.frame() == 3
    assert first.frames.qsize() == 1


def test_a_refusal_comes_by_on_close(child: HostChild) -> None:
    end = End()
    end.open(child, "refused")
    assert end.closed() == (4404, "no repository here")


def test_a_link_closed_here_hears_nothing_more_and_may_be_opened_again(child: HostChild) -> None:
    end, again, other = End(), End(), End()
    link = end.open(child, "echo")
    assert end.frame()
    link.close()
    link.send("1")
    second = again.open(child, "echo")
    link.close()
    second.send("2")
    assert again.frame()
    assert again.frame() == 2
    other.open(child, "echo-other")
    assert other.frame()
    assert end.frames.empty()
    assert end.closes.empty()


def test_a_name_that_is_open_is_refused(child: HostChild) -> None:
    end, double = End(), End()
    link = end.open(child, "echo")
    double.open(child, "echo")
    code, reason = double.closed()
    assert (code, "echo is open already" in reason) == (1002, True)
    link.send("1")
    assert [end.frame(), end.frame()][1] == 1
    assert double.frames.empty()


def test_when_it_dies_all_links_hear_why_and_the_next_one_starts_another(
    child: HostChild,
) -> None:
    end, dying, later = End(), End(), End()
    end.open(child, "echo").send('"pid"')
    assert end.frame()
    first = end.frame()
    dying.open(child, "die")
    assert end.closed() == dying.closed() == (LOST, "the key … is wrong")
    assert child.pid is None
    later.open(child, "echo").send('"pid"')
    assert later.frame()
    assert later.frame() not in {first, None}


def test_a_program_that_is_not_there_is_said_by_on_close(tmp_path: Path) -> None:
    missing = HostChild(tmp_path, arguments=["/no/such/program"])
    end = End()
    end.open(missing, "echo").send("1")
    code, reason = end.closed()
    assert (code, "can't be started" in reason) == (LOST, True)
    missing.close(LIMIT_S)


def test_a_line_that_is_none_is_logged_and_skipped(
    child: HostChild, caplog: pytest.LogCaptureFixture
) -> None:
    end = End()
    link = end.open(child, "echo")
    assert end.frame()
    with caplog.at_level(logging.WARNING):
        link.send('"unreadable"')
        link.send("1")
        assert end.frame() == 1
    assert "no line of a link" in caplog.text


def test_a_child_that_does_not_read_costs_the_link_and_not_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = LineLimits(outbox_bytes=1_000_000)
    monkeypatch.setattr("jupyter_ac.hosts.kernel.child.links.LIMITS", limits)
    stuck = HostChild(tmp_path, arguments=[sys.executable, "-c", "import time; time.sleep(3600)"])
    end = End()
    link = end.open(stuck, "echo")
    while end.closes.empty():
        link.send(f'"{"x" * 100_000}"')
        stuck.submit(asyncio.sleep(0)).result(LIMIT_S)
    code, reason = end.closed()
    assert (code, "waiting to be read" in reason) == (1013, True)
    stuck.close(LIMIT_S)


async def test_what_waits_for_a_link_to_open_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "jupyter_ac.hosts.kernel.child.links.LIMITS", LineLimits(outbox_bytes=1_000)
    )
    end = End()
    link = Link(Ends(end.frames.put, end.lost))
    here, there = socket.socketpair()
    _, stream = await asyncio.open_connection(sock=here)
    writer = LineWriter(stream)
    opening: asyncio.Future[LineTransport] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(link.serve(lambda _: opening, Opened("slow")))
    for _ in range(11):
        link.send("x" * 100)
    assert len(link._waiting) == 10
    opening.set_result(LineTransport(writer, LineLimits(), "slow"))
    await serving
    await writer.aclose()
    there.close()
    code, reason = end.closed()
    assert (code, "too much is waiting" in reason) == (1013, True)


def test_an_owner_that_fails_harms_no_other(
    child: HostChild, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_frame: str) -> None:
        raise ValueError("of the owner")

    end = End()
    child.open("echo-bad", Ends(fail, end.lost))
    end.open(child, "echo")
    assert end.frame()
    assert "of the owner" in caplog.text


def test_closing_tells_open_links(child: HostChild) -> None:
    end = End()
    end.open(child, "echo")
    assert end.frame()
    child.close(LIMIT_S)
    code, reason = end.closed()
    assert (code, "has closed" in reason) == (LOST, True)


def test_the_callbacks_run_on_the_child_s_thread(child: HostChild) -> None:
    thread = child._running()
    seen: list[bool] = []
    end = End()

    def note(frame: str) -> None:
        assert isinstance(thread, LoopThread)
        seen.append(thread.is_here)
        end.frames.put(frame)

    child.open("echo", Ends(note, end.lost))
    assert end.frame()
    assert seen == [True]
