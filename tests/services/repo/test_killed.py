"""`kill -9` before each step of a change: the old state or the new one, and the way is free."""

import asyncio
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict
from jupyter_ac.git.files import MAX_FILE_BYTES
from jupyter_ac.git.repository import discover
from tests.support.changing import service_of
from tests.support.doomed import Doomed, doomed
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.sanity import require_honest_index, require_sane

WAIT_S = 90.0
STRIDE = 3
LONG = "1" * MAX_FILE_BYTES, "2" * MAX_FILE_BYTES
FILES = {"run.sh": "old\n", "d/x": "1\n", "d/y": "1\n"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> RepositoryFolder:
    made = make_repository(tmp_path_factory.mktemp("killed") / "r", dict(FILES))
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    (made.root / "run.sh").chmod(0o755)
    made.write(".gitignore", "*.tmp\nignored/\n")
    made.commit()
    made.git("checkout", "-q", "-b", "side")
    made.write("d/x", "side\n")
    made.commit()
    made.git("checkout", "-q", "main")
    made.git("tag", "start")
    return made


@pytest.fixture(scope="module")
def victim(folder: RepositoryFolder) -> Iterator[Doomed]:
    with doomed(folder.root) as process:
        yield process


@pytest.fixture(autouse=True)
def anew(folder: RepositoryFolder) -> None:
    go_back(folder)


def go_back(folder: RepositoryFolder) -> None:
    folder.git("checkout", "-q", "-f", "-B", "main", "start")
    folder.git("reset", "-q", "--hard", "start")
    folder.git("clean", "-qfdx")
    for name in ("review.json", "review.tmp"):
        (folder.root / ".git" / name).unlink(missing_ok=True)


def wait_for_gits(folder: RepositoryFolder) -> None:
    """Wait until whatever the killed process had started has come to its end."""
    end = time.monotonic() + WAIT_S
    while any(_works_in(process, folder.root) for process in Path("/proc").glob("[0-9]*")):
        assert time.monotonic() < end, "a git runs on and on"
        time.sleep(0.01)


def _works_in(process: Path, root: Path) -> bool:
    try:
        name = (process / "comm").read_text().strip()
        return name == "git" and (process / "cwd").readlink() == root
    except OSError:
        return False


def each_step(
    folder: RepositoryFolder, victim: Doomed, what: str, *arguments: object, stride: int = 1
) -> Iterator[bool]:
    """Make a change again and again, killed some steps later each time, at last not at all."""
    for last in range(random.randrange(stride), 200, stride):
        done = victim.change(last, what, *arguments)
        wait_for_gits(folder)
        yield done
        if done:
            assert last > 1, "nothing was killed"
            return
        remove_temp_files(folder)
        require_sane(folder)
        go_back(folder)
    raise AssertionError(f"{what} has no end")


def remove_temp_files(folder: RepositoryFolder) -> None:
    """What the next start does; and all locks are free."""

    async def start() -> None:
        service = service_of(await discover(folder.root), wait_s=0.1)
        await service.writers.files.remove_temp_files()
        await service.writers.changer.change_files(lambda git: git.run("status", "--short"))

    asyncio.run(start())


def text(folder: RepositoryFolder, name: str) -> str | None:
    place = folder.root / name
    return place.read_text() if place.exists() else None


def test_a_write_leaves_the_old_file_or_the_new_one(
    folder: RepositoryFolder, victim: Doomed
) -> None:
    seen = set()
    for done in each_step(folder, victim, "write_file", "run.sh", "new\n"):
        seen.add(text(folder, "run.sh"))
        assert (folder.root / "run.sh").stat().st_mode & 0o777 == 0o755
        assert not done or text(folder, "run.sh") == "new\n"
    assert seen == {"old\n", "new\n"}


@pytest.mark.parametrize("name", ["new/deep/f", "ignored/f"])
def test_a_new_file_is_there_whole_or_not_at_all(
    folder: RepositoryFolder, victim: Doomed, name: str
) -> None:
    """What is left of it is swept away at the next start, also where git ignores it."""
    seen = set()
    for done in each_step(folder, victim, "create_file", name, "new\n"):
        seen.add(text(folder, name))
        assert not done or text(folder, name) == "new\n"
    assert seen == {None, "new\n"}


def test_a_long_write_is_killed_at_any_moment(folder: RepositoryFolder) -> None:
    """Two long texts take turns in a file until the end."""
    for _ in range(6):
        begun, child_end = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(_write_on(folder, child_end))
            finally:
                os._exit(1)
        os.read(begun, 1)
        time.sleep(random.uniform(0, 0.15))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for descriptor in (begun, child_end):
            os.close(descriptor)
        assert text(folder, "long") in LONG
        remove_temp_files(folder)
        require_sane(folder)


async def _write_on(folder: RepositoryFolder, told: int) -> None:
    service = service_of(await discover(folder.root))
    await service.writes.write_file("long", LONG[0])
    os.write(told, b"1")
    while True:
        for content in LONG:
            await service.writes.write_file("long", content)


@pytest.mark.parametrize(
    ("what", "arguments", "name", "states"),
    [
        ("rename_file", ("d/x", "e/f/x"), "e/f/x", {None, "1\n"}),
        ("rename_directory", ("d", "e"), "e/y", {None, "1\n"}),
        ("delete_file", ("d/x",), "d/x", {None, "1\n"}),
        ("checkout_branch", ("side",), "d/x", {"1\n", "side\n"}),
    ],
)
def test_moving_and_switching_are_done_or_not(
    folder: RepositoryFolder,
    victim: Doomed,
    what: str,
    arguments: tuple[str, ...],
    name: str,
    states: set[str | None],
) -> None:
    seen = set()
    for _ in each_step(folder, victim, what, *arguments, stride=STRIDE):
        seen.add(text(folder, name))
        assert [found.read_text() for found in folder.root.rglob("y")] == ["1\n"]
        assert text(folder, "run.sh") == "old\n"
    assert seen == states


def test_discarding_is_done_by_the_next_try(folder: RepositoryFolder, victim: Doomed) -> None:
    paths = ["d/x", "added", "unknown"]
    service = service_of(asyncio.run(discover(folder.root)))
    for last in range(random.randrange(STRIDE), 200, STRIDE):
        folder.write("d/x", "mine\n")
        folder.write("added", "mine\n")
        folder.git("add", "added")
        folder.write("unknown", "mine\n")
        done = victim.change(last, "discard_changes", paths)
        wait_for_gits(folder)
        assert text(folder, "d/x") in {"1\n", "mine\n"}
        require_sane(folder)
        asyncio.run(service.staging.discard_changes(paths))
        assert folder.git("status", "--porcelain") == ""
        if done:
            break
    assert done


def test_a_commit_is_made_or_not(folder: RepositoryFolder, victim: Doomed) -> None:
    seen = set()
    for last in range(100):
        folder.write("d/x", "mine\n")
        folder.git("add", "d/x")
        done = victim.change(last, "commit", "mine")
        wait_for_gits(folder)
        made = folder.git("log", "--format=%s", "start..HEAD")
        assert made in {"", "mine"}
        assert folder.git("status", "--porcelain") == ("" if made else "M  d/x")
        seen.add(made)
        remove_temp_files(folder)
        require_sane(folder)
        if done:
            break
        go_back(folder)
    assert done
    assert seen == {"", "mine"}


def test_a_review_finds_its_way_back(folder: RepositoryFolder, victim: Doomed) -> None:
    """Whichever of its steps was the last one."""
    service = service_of(asyncio.run(discover(folder.root)))
    tip = folder.git("rev-parse", "side")
    start = folder.git("rev-parse", "start")
    changes: tuple[tuple[str, ...], ...] = (
        ("checkout_review_parent", "side"),
        ("setup_review_soft_reset", tip, start),
        ("exit_review_mode",),
    )

    async def before(what: str) -> None:
        if what != "checkout_review_parent":
            await service.review.checkout_review_parent("side")
        if what == "exit_review_mode":
            await service.review.setup_review_soft_reset(tip, start)

    for what, *arguments in changes:
        for last in range(random.randrange(3 * STRIDE), 200, 3 * STRIDE):
            asyncio.run(before(what))
            done = victim.change(last, what, *arguments)
            wait_for_gits(folder)
            (folder.root / ".git/review.tmp").unlink(missing_ok=True)  # the next review's
            require_sane(folder)
            with suppress(Conflict):  # the review had not begun, or was over
                asyncio.run(service.review.exit_review_mode())
            assert folder.git("symbolic-ref", "HEAD") == "refs/heads/main"
            assert folder.git("status", "--porcelain") == ""
            assert folder.git("rev-parse", "HEAD") == start
            assert not (folder.root / ".git/review.json").exists()
            if done:
                break
        assert done


def test_a_git_that_is_killed_as_well_leaves_a_lock_whose_remedy_is_said(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.git.write_commands.LOCK_WAIT_S", 0.1)
    hook = folder.write(".git/hooks/pre-commit", "#!/bin/sh\nkill -9 $PPID\n")
    hook.chmod(0o755)
    folder.write("d/x", "mine\n")
    subprocess.run(["git", "commit", "-aqm", "x"], cwd=folder.root, check=False)
    hook.unlink()
    lock = folder.root / ".git/index.lock"
    assert lock.exists()
    service = service_of(asyncio.run(discover(folder.root)))
    with pytest.raises(Exception, match=r"if no git is running, remove \.git/index\.lock"):
        asyncio.run(service.staging.stage_all())
    lock.unlink()
    asyncio.run(service.staging.stage_all())
    assert folder.git("status", "--porcelain") == "M  d/x"
    require_honest_index(folder)
