"""What a plugin sends to a host that is slow."""

from typing import TYPE_CHECKING, cast

import pytest

from jupyter_ac.hosts.panels import host_pipe
from jupyter_ac.hosts.panels.host_pipe import MAX_UNREAD_BYTES, HostPipe
from tests.panels.shown import turns, until

if TYPE_CHECKING:
    from jupyter_ac.rpc.peer import Peer


class SlowPeer:
    """A connection whose other side reads when a test says so."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.unread = 0
        self.closed = False

    def queued_bytes(self) -> int:
        return self.unread

    def notify(self, method: str, *args: object) -> None:
        del args
        self.sent.append(method)


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch) -> SlowPeer:
    monkeypatch.setattr(host_pipe, "_LOOK_AGAIN_S", 0.001)
    return SlowPeer()


async def test_changes_that_a_host_misses_are_one_tree(peer: SlowPeer) -> None:
    link = HostPipe(cast("Peer", peer), lambda: link.send("updateTree", None))
    link.send("applyMutations", [])
    peer.unread = MAX_UNREAD_BYTES + 1
    for _ in range(100):
        link.send("applyMutations", [])
        link.send("log", "info", [])
    peer.unread = 1  # not all of it has been read
    await turns()
    link.send("log", "info", [])
    link.send("applyMutations", [])
    assert peer.sent == ["applyMutations", "log"]
    peer.unread = 0
    await until(lambda: len(peer.sent) == 3)
    assert peer.sent[-1] == "updateTree"
    link.send("applyMutations", [])
    assert peer.sent[-1] == "applyMutations"


async def test_nothing_is_sent_after_the_end(peer: SlowPeer) -> None:
    asked: list[str] = []
    link = HostPipe(cast("Peer", peer), lambda: asked.append("tree"))
    peer.unread = MAX_UNREAD_BYTES + 1
    link.send("updateTree", None)
    peer.unread, peer.closed = 0, True
    await until(lambda: link._again is not None and link._again.when() < link_time())
    link.close()
    assert asked == []


def link_time() -> float:
    import asyncio

    return asyncio.get_running_loop().time()
