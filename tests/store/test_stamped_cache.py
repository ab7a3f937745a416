"""What is read from files is used again only as long as nobody can have changed them."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.store.stamped_cache import StampedCache, take_stamp
from tests.support.examples import examples

SETTLED_S = 0.05
"""Longer than a tick of the clocks of local file systems."""

LIMIT_S = 90.0


def cache(**options: float) -> StampedCache[bytes]:
    return StampedCache[bytes](lifetime_s=options.get("lifetime_s", 3600), settled_s=SETTLED_S)


def settle(paths: Sequence[Path]) -> None:
    """Wait until the newest change is old enough for what is read to be kept."""
    deadline = time.monotonic() + LIMIT_S
    while any(
        max(found.st_ctime_ns, found.st_mtime_ns) > time.time_ns() - (SETTLED_S + 0.01) * 1e9
        for found in (path.lstat() for path in paths if path.exists())
    ):
        assert time.monotonic() < deadline
        time.sleep(0.005)


def read(stored: StampedCache[bytes], path: Path) -> tuple[bytes, bool]:
    """Read through the cache; also says whether it was asked in vain."""
    known = stored.get("key")
    if known is not None:
        return known, True
    before = take_stamp([os.fspath(path.parent), os.fspath(path)])
    content = path.read_bytes() if path.is_file() else b"(none)"
    stored.put("key", before, content, len(content))
    return content, False


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    found = tmp_path / "folder" / "file"
    found.write_bytes(b"one")
    settle([found, found.parent])
    return found


def test_what_is_unchanged_is_not_read_again(path: Path) -> None:
    stored = cache()
    assert [read(stored, path) for _ in range(3)] == [
        (b"one", False),
        (b"one", True),
        (b"one", True),
    ]


def test_what_was_changed_a_moment_ago_is_not_kept(path: Path) -> None:
    stored = cache()
    path.write_bytes(b"two")
    for _ in range(2):
        before = take_stamp([os.fspath(path)])
        assert before is not None
        if time.time_ns() - path.stat().st_ctime_ns < SETTLED_S * 1e9:
            stored.put("key", before, b"two", 3)
            if time.time_ns() - path.stat().st_ctime_ns < SETTLED_S * 1e9:
                assert stored.get("key") is None


def test_a_change_that_keeps_size_and_time_is_seen(path: Path) -> None:
    stored, found = cache(), path.stat()
    assert read(stored, path) == (b"one", False)
    path.write_bytes(b"two")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert read(stored, path) == (b"two", False)


def test_a_file_that_goes_and_one_that_comes_are_seen(path: Path) -> None:
    stored = cache()
    read(stored, path)
    path.unlink()
    assert read(stored, path)[0] == b"(none)"
    path.write_bytes(b"new")
    assert read(stored, path)[0] == b"new"


def test_a_folder_that_was_replaced_is_seen(path: Path) -> None:
    stored = cache()
    read(stored, path)
    other = path.parent.with_name("other")
    path.parent.rename(path.parent.with_name("gone"))
    other.mkdir()
    (other / "file").write_bytes(b"two")
    other.rename(path.parent)
    assert read(stored, path)[0] == b"two"


def test_what_was_read_while_it_changed_is_not_kept(path: Path) -> None:
    stored = cache()
    before = take_stamp([os.fspath(path)])
    path.write_bytes(b"two")
    stored.put("key", before, b"one", 3)
    assert stored.get("key") is None


def test_links_and_pipes_have_no_stamp(path: Path) -> None:
    link, pipe = path.with_name("link"), path.with_name("pipe")
    link.symlink_to(path)
    os.mkfifo(pipe)
    assert take_stamp([os.fspath(link)]) is None
    assert take_stamp([os.fspath(pipe)]) is None
    stored = cache()
    stored.put("key", None, b"one", 3)
    assert stored.get("key") is None


def test_the_least_used_gives_way(path: Path) -> None:
    stored = StampedCache[bytes](max_bytes=100, lifetime_s=3600, settled_s=SETTLED_S)
    before = take_stamp([os.fspath(path)])
    for key in ("a", "b"):
        stored.put(key, before, b"x", 40)
    assert stored.get("a") == b"x"
    stored.put("c", before, b"x", 40)
    assert stored.get("b") is None
    assert stored.get("a") == stored.get("c") == b"x"
    stored.put("d", before, b"x", 101)
    assert stored.get("d") is None


def test_one_reads_anew_for_all_before_a_value_ends(path: Path) -> None:
    stored = StampedCache[bytes](lifetime_s=0, settled_s=SETTLED_S)
    read(stored, path)
    assert stored.get("key") is None
    late = cache(lifetime_s=3600)
    read(late, path)
    entry = late._entries["key"]
    entry.renew_s = time.monotonic()
    assert [late.get("key"), late.get("key")] == [None, b"one"]


STEPS = st.sampled_from(
    ["write", "write longer", "keep the time", "replace", "remove", "move the folder", "rest"]
)


@settings(
    deadline=None,
    max_examples=examples(40),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(STEPS, max_size=8))
def test_what_is_read_is_always_what_is_there(path: Path, steps: list[str]) -> None:
    stored = cache()
    folder = path.parent
    for number, step in enumerate(["write", "rest", *steps, "rest"]):
        content = b"%6d" % number
        found = path.stat() if path.exists() else None
        if step == "write longer":
            path.write_bytes(content * 2)
        elif step == "replace":
            path.with_name("draft").write_bytes(content)
            path.with_name("draft").rename(path)
        elif step == "remove":
            path.unlink(missing_ok=True)
        elif step == "move the folder":
            folder.rename(folder.with_name(f"old{number}-{time.monotonic_ns()}"))
            folder.mkdir()
            path.write_bytes(content)
        elif step == "rest":
            settle([path, folder])
        else:
            path.write_bytes(content)
        if step == "keep the time" and found is not None:
            os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
        expected = path.read_bytes() if path.exists() else b"(none)"
        assert [read(stored, path)[0] for _ in range(3)] == [expected] * 3
    assert read(stored, path)[1]
