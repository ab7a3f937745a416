"""Hooks that refuse, change things, talk, listen and leave programs running."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from jupyter_ac.git import committing
from tests.support.repositories import RepositoryFolder
from tests.support.ugly import OK, repo_client, ugly
from tests.support.ugly_files import hook

REFUSING = {
    "words on standard error": ("pre-commit", "echo lint: a.py:1 >&2; exit 1", "lint: a.py:1"),
    "words on standard output": ("pre-commit", "echo E501; exit 1", "E501"),
    "several lines": ("commit-msg", "echo 'error: no' >&2; echo see X; exit 1", "no see X"),
    "no words": ("pre-commit", "exit 3", "A hook refused the commit and gave no reason"),
    "words of git": ("pre-commit", "echo 'no changes to commit on main'; exit 1", "on main"),
    "words of a lock": (
        "pre-commit",
        "echo \"Unable to create '/x/index.lock': File exists\" >&2; exit 1",
        "Unable to create",
    ),
    "no text": ("pre-commit", r"printf '\033[31mcaf\351\033[0m \0' >&2; exit 1", "caf\ufffd"),
    "a flood": (
        "pre-commit",
        "yes flood | head -c 3000000; yes | head -c 3000000 >&2; exit 1",
        "flood",
    ),
    "a question": ("prepare-commit-msg", "exec </dev/tty; read x", "tty"),
    "no message": ("commit-msg", ': > "$1"', "empty commit message"),
}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """A repository with one file staged, and edited since."""
    folder = ugly(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    folder.write("a", "2\n")
    folder.git("add", "a")
    folder.write("a", "2\nmine\n")
    return folder


@pytest.mark.parametrize("how", REFUSING)
async def test_a_hook_that_refuses_is_heard_and_nothing_changes(
    folder: RepositoryFolder, how: str
) -> None:
    name, body, words = REFUSING[how]
    hook(folder, name, body)
    before, index = folder.git("log", "--all", "--format=%H"), folder.git("ls-files", "--stage")
    async with repo_client(folder) as client:
        said = await client.refusal("commit", "message")
        assert client.status() == ["MM a"]
    assert words in said
    assert said.isprintable()
    assert len(said) < 3000
    assert folder.git("log", "--all", "--format=%H") == before
    assert folder.git("ls-files", "--stage") == index


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("pre-commit", "cat >/dev/null"),
        ("pre-commit", "yes flood | head -c 3000000; yes flood | head -c 3000000 >&2"),
        ("post-commit", "echo too late >&2; exit 1"),
        ("post-index-change", "exit 1"),
    ],
)
async def test_a_hook_that_does_not_refuse_stops_nothing(
    folder: RepositoryFolder, name: str, body: str
) -> None:
    hook(folder, name, body)
    async with repo_client(folder) as client:
        await client.do("commit", "message")
        assert folder.git("log", "-1", "--format=%B").strip() == "message"
        assert client.status() == [" M a"]
        assert folder.git("show", "HEAD:a") == "2"


async def test_a_hook_may_change_what_is_committed(folder: RepositoryFolder) -> None:
    hook(folder, "pre-commit", "echo formatted > b; git add b")
    hook(folder, "commit-msg", 'echo "Reviewed-by: x" >> "$1"')
    async with repo_client(folder) as client:
        made = await client.fields("commit", "message")
        assert made["sha"] == folder.git("rev-parse", "HEAD")
        assert folder.git("show", "HEAD:b") == "formatted"
        assert "Reviewed-by" in folder.git("log", "-1", "--format=%B")
        assert client.status() == [" M a"]


async def test_hooks_are_where_the_user_says(folder: RepositoryFolder) -> None:
    hook(folder, "pre-commit", "exit 1")
    hook(folder, "../others/pre-commit", "echo from elsewhere >&2; exit 1")
    folder.git("config", "core.hooksPath", ".git/others")
    async with repo_client(folder) as client:
        assert "from elsewhere" in await client.refusal("commit", "message")
        folder.git("config", "core.hooksPath", os.devnull)
        await client.do("commit", "message")


def pipes() -> int:
    """How many ends of pipes this process holds."""
    descriptors = list(Path("/proc/self/fd").iterdir())
    return sum(
        str(one.readlink()).startswith("pipe:") for one in descriptors if os.path.lexists(one)
    )


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts pipes by /proc")
@pytest.mark.parametrize(
    ("name", "ends"),
    [("pre-commit", "exit 0"), ("post-commit", "exit 0"), ("pre-commit", "exit 1")],
)
async def test_a_program_that_a_hook_leaves_running_keeps_nobody_waiting(
    folder: RepositoryFolder, tmp_path: Path, name: str, ends: str
) -> None:
    pid = tmp_path / "pid"
    hook(folder, name, f"sleep 1000 & echo $! > {pid}; {ends}")
    async with repo_client(folder) as client:
        before = pipes()
        async with asyncio.timeout(30):
            if ends == "exit 0":
                await client.do("commit", "message")
            else:
                assert "gave no reason" in await client.refusal("commit", "message")
        os.kill(int(pid.read_text()), 0)  # it goes on
        os.kill(int(pid.read_text()), signal.SIGKILL)
        async with asyncio.timeout(30):
            while pipes() > before:
                await asyncio.sleep(0.01)
        assert client.status() == ([" M a"] if ends == "exit 0" else ["MM a"])


async def test_a_hook_that_hangs_is_ended_and_leaves_no_lock(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committing, "HOOKS_S", 0.3)
    hook(folder, "pre-commit", "exec sleep 1000")
    async with repo_client(folder) as client:
        said = await client.refusal("commit", "message")
        assert "`git commit` took longer than 0.3 s" in said
        assert not (folder.root / ".git/index.lock").exists()
        (folder.root / ".git/hooks/pre-commit").unlink()
        monkeypatch.undo()
        await client.do("commit", "message")


async def test_what_a_failing_hook_comes_too_late_for_is_done(folder: RepositoryFolder) -> None:
    folder.git("commit", "-qm", "a")
    folder.git("branch", "other")
    hook(folder, "post-checkout", "echo too late >&2; exit 1")
    async with repo_client(folder) as client:
        assert await client.call("discard_changes", ["a"]) == OK
        assert client.status() == []
        await client.do("checkout_branch", "other")
        assert folder.git("branch", "--show-current") == "other"


async def test_looking_runs_no_hook(folder: RepositoryFolder, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    for name in ("post-index-change", "pre-commit", "post-checkout", "reference-transaction"):
        hook(folder, name, f"touch {ran}")
    os.utime(folder.root / "b")
    async with repo_client(folder) as client:
        for name in ("get_file_tree", "get_flat_file_list", "get_unstaged_diff", "is_clean"):
            await client.call(name)
        await client.call("get_commit_graph")
        await client.call("search_files", "1")
    assert not ran.exists()
