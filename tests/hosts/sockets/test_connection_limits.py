"""Limits on connections, by what the process may open."""

import resource

import pytest

from jupyter_ac.hosts.sockets.connection_limits import MAX_OPEN, MAX_PENDING, connection_limits


@pytest.mark.parametrize("soft", [1, 64, 65, 128, 256, 1024, 4096, 1 << 20])
def test_room_is_left_for_files_and_children(monkeypatch: pytest.MonkeyPatch, soft: int) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, soft))
    limits = connection_limits()
    assert 1 <= limits.pending <= MAX_PENDING
    assert 1 <= limits.open <= MAX_OPEN
    assert limits.each == limits.open
    if soft > 128:
        assert limits.open + limits.pending <= soft * 3 // 4
    assert 1 <= limits.batch <= max(1, limits.pending // 8)


def test_no_limit_of_the_system_is_no_reason_for_none_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unlimited = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda _: (unlimited, unlimited))
    limits = connection_limits(each=10)
    assert (limits.open, limits.pending, limits.each) == (MAX_OPEN, MAX_PENDING, 10)
