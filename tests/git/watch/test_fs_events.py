import asyncio
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Collection
from pathlib import Path

import pytest

from jupyter_ac.git.watch.fs_events import (
    ADDED,
    DELETED,
    MODIFIED,
    Change,
    WatchUnavailable,
    watch_folders,
)
from tests.support.watched import until

WAIT_S = 90


class Ear:
    def __init__(self) -> None:
        self.heard: set[Change] = set()
        self.is_lost = False
        self.came = asyncio.Event()

    def hear(self, changes: Collection[Change] | None) -> None:
        if changes is None:
            self.is_lost = True
        else:
            self.heard.update(changes)
        self.came.set()

    async def until(self, *wanted: Change) -> None:
        async with asyncio.timeout(WAIT_S):
            while not self.heard.issuperset(wanted):
                self.came.clear()
                await self.came.wait()


async def test_changes_in_a_folder_are_told_but_not_in_the_folders_in_it(tmp_path: Path) -> None:
    ear = Ear()
    (tmp_path / "inner").mkdir()
    (tmp_path / "old").touch()
    notices = await watch_folders([str(tmp_path)], ear.hear)
    try:
        (tmp_path / "inner/unheard").touch()
        (tmp_path / "old").write_text("x")
        await ear.until((MODIFIED, str(tmp_path / "old")))
        (tmp_path / "new").touch()
        (tmp_path / "old").unlink()
        await ear.until((ADDED, str(tmp_path / "new")), (DELETED, str(tmp_path / "old")))
        assert str(tmp_path / "inner/unheard") not in {path for _, path in ear.heard}
    finally:
        await notices.aclose()


def notice_threads() -> int:
    return sum(thread.name == "folder watch" for thread in threading.enumerate())


def notice_files() -> int:
    opened = Path("/proc/self/fd").iterdir()
    return sum("inotify" in str(each.readlink()) for each in opened if os.path.lexists(each))


async def test_nothing_is_left_when_they_are_closed(tmp_path: Path) -> None:
    for _ in range(5):
        notices = await watch_folders([str(tmp_path)], Ear().hear)
        assert (notice_threads(), notice_files()) == (1, 1)
        (tmp_path / "x").touch()
        await notices.aclose()
        await until(lambda: (notice_threads(), notice_files()) == (0, 0))
    assert (notice_threads(), notice_files()) == (0, 0)


async def test_a_name_that_is_not_utf8_is_told_as_a_loss(tmp_path: Path) -> None:
    ear = Ear()
    notices = await watch_folders([str(tmp_path)], ear.hear)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xe9")).touch()
    async with asyncio.timeout(WAIT_S):
        await ear.came.wait()
    assert ear.is_lost
    await notices.aclose()


async def test_a_folder_that_is_gone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WatchUnavailable) as caught:
        await watch_folders([str(tmp_path / "none")], Ear().hear)
    assert isinstance(caught.value.__cause__, FileNotFoundError)


async def test_without_the_library_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles._rust_notify", None)
    with pytest.raises(WatchUnavailable, match="watchfiles"):
        await watch_folders([str(tmp_path)], Ear().hear)


PROGRAM = """
import asyncio, sys
from jupyter_ac.git.watch.fs_events import WatchUnavailable, watch_folders

async def main():
    heard = []
    try:
        notices = await watch_folders(sys.argv[2:], heard.append)
    except WatchUnavailable as refusal:
        print("refused:", refusal)
        return
    print("heard" if sys.argv[1] == "open" else "closed")

print("watchfiles" in sys.modules)
asyncio.run(main())
"""


def run(*args: str, prefix: tuple[str, ...] = ()) -> str:
    program = [*prefix, sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(PROGRAM)]
    done = subprocess.run(
        [*program, *args], capture_output=True, text=True, timeout=WAIT_S, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_notices_that_were_never_closed_do_not_keep_the_interpreter(tmp_path: Path) -> None:
    assert run("open", str(tmp_path)) == "False\nheard\n"


def test_a_limit_that_is_reached_is_told_instead_of_watching_half(tmp_path: Path) -> None:
    folders = [str(tmp_path / str(number)) for number in range(10)]
    for folder in folders:
        Path(folder).mkdir()
    limited = ("unshare", "-Ur", "sh", "-c", 'echo 5 > "$0" && exec "$@"')
    limit = "/proc/sys/user/max_inotify_watches"
    tried = subprocess.run([*limited, limit, "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("no namespace with a limit of its own can be made here")
    assert "limit reached" in run("open", *folders, prefix=(*limited, limit))


async def test_many_folders_are_watched_in_groups_which_end_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.git.watch.fs_events._GROUP", 2)
    folders = [tmp_path / name for name in "abcde"]
    for folder in folders:
        folder.mkdir()
    ear = Ear()
    notices = await watch_folders([str(folder) for folder in folders], ear.hear)
    assert (notice_threads(), notice_files()) == (3, 3)
    for folder in folders:
        (folder / "new").touch()
    await ear.until(*((ADDED, str(folder / "new")) for folder in folders))
    await notices.aclose()
    await until(lambda: (notice_threads(), notice_files()) == (0, 0))


async def test_a_group_that_can_not_be_watched_ends_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.git.watch.fs_events._GROUP", 1)
    with pytest.raises(WatchUnavailable):
        await watch_folders([str(tmp_path), str(tmp_path / "gone")], Ear().hear)
    await until(lambda: (notice_threads(), notice_files()) == (0, 0))
