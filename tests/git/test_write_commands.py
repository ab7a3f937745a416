import asyncio
import os
import time
from pathlib import Path

import pytest

from jupyter_ac.errors import Busy, GitError
from jupyter_ac.git import write_commands
from jupyter_ac.git.environment import Level
from jupyter_ac.git.repository import discover
from jupyter_ac.git.write_commands import Git, before_head, described
from tests.support.changing import changer_of, writers_of
from tests.support.repositories import make_repository


async def test_a_failure_is_said_in_gits_own_words(tmp_path: Path) -> None:
    git = Git(await discover(make_repository(tmp_path / "r", {"a": "1\n"}).root))
    with pytest.raises(GitError, match=r"`git checkout` failed: .*nowhere"):
        await git.run("checkout", "nowhere", "--")
    assert (await git.run("diff", "--quiet", "--", ok=(0, 1))).exit_code == 0


async def test_a_lock_of_another_git_is_waited_for(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("a", "2\n")
    lock = folder.write(".git/index.lock", "")
    git = Git(await discover(folder.root))
    staging = asyncio.create_task(git.run("add", "a"))
    done, _ = await asyncio.wait({staging}, timeout=0.3)
    assert not done
    lock.unlink()
    await asyncio.wait_for(staging, 30)
    assert folder.git("status", "--porcelain") == "M  a"


async def test_a_lock_left_behind_stays_and_its_age_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_commands, "LOCK_WAIT_S", 0.2)
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    lock = folder.write(".git/index.lock", "")
    hour_ago = time.time() - 3600
    os.utime(lock, (hour_ago, hour_ago))
    git = Git(await discover(folder.root))
    with pytest.raises(Busy, match=r"held index\.lock for 36\d\d s.*remove \.git/index\.lock"):
        await git.run("reset", "--hard")
    assert lock.exists()


async def test_a_lock_that_was_left_long_ago_is_not_waited_for_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_commands, "LOCK_WAIT_S", 600.0)
    monkeypatch.setattr(write_commands, "OLD_LOCK_WAIT_S", 0.01)
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    lock = folder.write(".git/index.lock", "")
    hour_ago = time.time() - 3600
    os.utime(lock, (hour_ago, hour_ago))
    git = Git(await discover(folder.root))
    async with asyncio.timeout(60):
        with pytest.raises(Busy, match=r"held index\.lock for 36\d\d s"):
            await git.run("add", "a")


async def test_changes_are_made_one_at_a_time(tmp_path: Path) -> None:
    changer = changer_of(await discover(make_repository(tmp_path / "r").root))
    inside, most = 0, 0

    async def work(_: Git) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.001)
        inside -= 1

    async with asyncio.timeout(30):
        await asyncio.gather(*(changer.change(work) for _ in range(30)))
    assert most == 1


async def test_what_has_begun_goes_on_when_the_caller_is_gone(tmp_path: Path) -> None:
    changer = changer_of(await discover(make_repository(tmp_path / "r").root))
    begun, go_on = asyncio.Event(), asyncio.Event()
    ended: list[str] = []

    async def work(_: Git) -> None:
        begun.set()
        await go_on.wait()
        ended.append("whole")

    changing_it = asyncio.create_task(changer.change(work))
    await asyncio.wait_for(begun.wait(), 30)
    changing_it.cancel()
    await asyncio.sleep(0)
    assert not changing_it.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(changing_it, 30)
    assert ended == ["whole"]


async def test_a_command_that_takes_too_long_leaves_no_lock(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    folder.write(".git/hooks/pre-commit", "#!/bin/sh\nsleep 60\n").chmod(0o755)
    git = Git(await discover(folder.root))
    with pytest.raises(Exception, match="took longer than 1 s"):
        await git.run(
            *("commit", "--allow-empty", "-m", "x", "-a"), timeout_s=1, level=Level.COMMITTING
        )
    assert not (folder.root / ".git/index.lock").exists()


async def test_a_commit_that_another_git_came_before_is_tried_again(tmp_path: Path) -> None:
    """The other one holds no lock any more when git finds that HEAD is not where it was."""
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    overtake = "git -c core.hooksPath=/dev/null commit --quiet --allow-empty -m theirs"
    hook = f"#!/bin/sh\ntest -e overtaken && exit 0\ntouch overtaken\n{overtake}\n"
    folder.write(".git/hooks/pre-commit", hook).chmod(0o755)
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    git = Git(await discover(folder.root))
    await git.run("commit", "--quiet", "--allow-empty", "-m", "ours", level=Level.COMMITTING)
    assert folder.git("log", "--format=%s").splitlines() == ["ours", "theirs", "first"]


async def test_nobody_writes_a_file_while_git_moves_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    writers = writers_of(await discover(folder.root))
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def work(_: Git) -> None:
        begun.set()
        await go_on.wait()

    moving = asyncio.create_task(writers.changer.change_files(work))
    await asyncio.wait_for(begun.wait(), 30)
    writing = [asyncio.create_task(writers.files.write(name, "2\n")) for name in ("a", "b/c")]
    done, _ = await asyncio.wait(writing, timeout=0.1)
    assert not done
    go_on.set()
    await asyncio.wait_for(moving, 30)
    await asyncio.wait_for(asyncio.gather(*writing), 30)
    assert (folder.root / "a").read_text() == "2\n"


@pytest.mark.parametrize("name", ["index.lock", "HEAD.lock", "refs/heads/main.lock"])
async def test_a_lock_before_head_is_found_and_its_age_and_place_are_told(
    tmp_path: Path, name: str
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    assert before_head(repository) is None
    lock = folder.root / ".git" / name
    lock.touch()
    os.utime(lock, (time.time() - 7200,) * 2)
    short = before_head(repository)
    assert short == lock.name
    said = described(repository, short)
    assert f"Another git process has held {lock.name} for 720" in said
    assert f"remove .git/{name}." in said


async def test_a_worktree_has_an_index_and_a_head_of_its_own(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "w"))
    main, tree = await discover(folder.root), await discover(tmp_path / "w")
    (folder.root / ".git/refs/heads/side.lock").touch()
    (folder.root / ".git/HEAD.lock").touch()
    assert (before_head(main), before_head(tree)) == ("HEAD.lock", "side.lock")
    (tree.git_dir / "index.lock").touch()
    assert before_head(tree) == "index.lock"
    assert "remove .git/worktrees/w/index.lock" in described(tree, "index.lock")


async def test_a_lock_that_is_gone_or_a_head_that_is_no_branch_is_said_as_well(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    assert "again and again" in described(repository, "index.lock")
    folder.git("checkout", "-q", "--detach")
    assert before_head(repository) is None
    (folder.root / ".git/HEAD").unlink()
    assert before_head(repository) is None
