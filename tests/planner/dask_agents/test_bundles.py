"""Bundles that come back from other machines: whole, and made by somebody who means harm."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, GitError, RefusedPath, TooLarge
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.planner.dask_agents import bundles
from jupyter_ac.planner.dask_agents.bundles import changed_contents, pack, unpack
from jupyter_ac.planner.worktrees.snapshot_commit import snapshot_commit
from jupyter_ac.planner.worktrees.tree_entries import entries_of
from tests.support.repositories import RepositoryFolder, make_repository


def git(folder: Path, *args: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *args],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=True,
    ).stdout


def blob(folder: Path, content: bytes) -> str:
    return git(folder, "hash-object", "-w", "--stdin", stdin=content).decode().strip()


def tree(folder: Path, *rows: tuple[str, str, str]) -> str:
    """Make a tree of any names: mode, name, content or hash."""
    listed = b"".join(
        f"{mode} {'tree' if mode == '040000' else 'commit' if mode == '160000' else 'blob'} "
        f"{name}\t{path}\0".encode()
        for mode, path, name in rows
    )
    return git(folder, "mktree", "-z", "--missing", stdin=listed).decode().strip()


def bundled(folder: Path, root_tree: str, *parents: str) -> bytes:
    """The bundle of a commit of a tree."""
    args = [part for parent in parents for part in ("-p", parent)]
    commit = git(folder, "commit-tree", "-m", "x", *args, root_tree).decode().strip()
    packed = git(folder, "pack-objects", "--revs", "--stdout", stdin=f"{commit}\n".encode())
    return f"# v2 git bundle\n{commit} {bundles.REF}\n\n".encode() + packed


async def shipped(folder: RepositoryFolder) -> tuple[Repository, str, bytes]:
    repository = await discover(folder.root)
    made = await snapshot_commit(repository, "files\n")
    return repository, made.commit, await pack(repository, made.commit)


async def test_files_go_to_the_exact_bytes_without_history(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "one\r\ntwo\n", "sub/b.txt": "b\n"})
    (folder.root / "run.sh").write_text("#!/bin/sh\n")
    (folder.root / "run.sh").chmod(0o755)
    (folder.root / "link").symlink_to("sub/b.txt")
    repository, commit, bundle = await shipped(folder)
    there = await unpack(bundle, tmp_path / "there")
    assert there.commit == commit
    assert there.entries == await entries_of(repository, commit)
    assert git(tmp_path / "there", "cat-file", "blob", f"{commit}:a.txt") == b"one\r\ntwo\n"
    head = folder.git("rev-parse", "HEAD")
    missing = subprocess.run(["git", "cat-file", "-e", head], cwd=tmp_path / "there", check=False)
    assert missing.returncode != 0
    before = await entries_of(repository, folder.git("rev-parse", "HEAD"))
    contents = await changed_contents(there, before)
    assert contents == {"run.sh": b"#!/bin/sh\n", "link": b"sub/b.txt"}


async def test_a_repository_with_long_hashes_is_sent_too(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    git(tmp_path / "r", "init", "-q", "--object-format=sha256")
    (tmp_path / "r/a.txt").write_text("a")
    _, commit, bundle = await shipped(RepositoryFolder(tmp_path / "r"))
    assert (await unpack(bundle, tmp_path / "there")).commit == commit
    assert len(commit) == 64


async def test_what_is_too_large_is_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "a\n" * 9999})
    _, _, bundle = await shipped(folder)
    monkeypatch.setattr(bundles, "MAX_BUNDLE_BYTES", 10)
    with pytest.raises(TooLarge, match="too much to send"):
        await shipped(folder)
    with pytest.raises(TooLarge, match="The bundle has more"):
        await unpack(bundle + bytes(2000), tmp_path / "there")


@pytest.mark.parametrize(
    "change",
    [
        lambda _: b"",
        lambda _: b"PK\x03\x04" * 100,
        lambda whole: whole.replace(b"refs/jupyter-ac/task", b"refs/heads/main"),
        lambda whole: whole.replace(b"\n\n", b"\n" + whole.split(b"\n")[1] + b"2\n\n", 1),
        lambda whole: whole.replace(b"bundle\n", b"bundle\n-" + b"0" * 40 + b" needed\n", 1),
        lambda whole: whole.replace(b"bundle\n", b"bundle\n@filter=blob:none\n", 1),
        lambda whole: whole[:-30],
        lambda whole: whole[:-30] + bytes(30),
        lambda whole: whole.replace(whole[16:56], b"1" * 40, 1),
        lambda whole: whole + b"more",
    ],
)
async def test_what_is_no_bundle_of_one_commit_is_refused(
    tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    _, _, bundle = await shipped(make_repository(tmp_path / "r", {"a.txt": "a\n" * 99}))
    with pytest.raises(GitError):
        await unpack(change(bundle), tmp_path / "there")


async def test_a_bundle_with_history_is_refused(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "a"})
    bundle = bundled(folder.root, folder.git("rev-parse", "HEAD^{tree}"), "HEAD")
    with pytest.raises(GitError, match="more than one commit"):
        await unpack(bundle, tmp_path / "there")


@pytest.mark.parametrize(
    "path",
    [".git", ".GIT", "git~1", "..", "a\\..\\.git\\config", ".git\u200c", "sub"],
)
async def test_paths_that_no_task_may_make_are_refused(tmp_path: Path, path: str) -> None:
    root = make_repository(tmp_path / "r", {"a.txt": "a"}).root
    inner = tree(root, ("100644", "config", blob(root, b"[core]")))
    mode = "160000" if path == "sub" else "040000"
    name = inner if mode == "040000" else "1" * 40
    bundle = bundled(root, tree(root, (mode, path, name)))
    with pytest.raises((GitError, RefusedPath)):
        await unpack(bundle, tmp_path / "there")


@pytest.mark.parametrize(
    ("path", "target", "is_inside"),
    [
        ("link", "/etc/passwd", False),
        ("link", "../x", False),
        ("link", "a/../../x", False),
        ("link", ".git/hooks", False),
        ("sub/link", "../.GIT/config", False),
        ("sub/link", "../../x", False),
        ("link", "", False),
        ("sub/link", "../a.txt", True),
        ("link", "sub/..", True),
    ],
)
async def test_links_that_lead_out_are_refused(
    tmp_path: Path, path: str, target: str, is_inside: bool
) -> None:
    root = make_repository(tmp_path / "r", {"a.txt": "a"}).root
    folder, _, name = path.rpartition("/")
    made = tree(root, ("120000", name, blob(root, target.encode())))
    bundle = bundled(root, tree(root, ("040000", folder, made)) if folder else made)
    try:
        there = await unpack(bundle, tmp_path / "there")
        contents = await changed_contents(there, {})
    except AcError:
        assert not is_inside
    else:
        assert is_inside
        assert contents == {path: target.encode()}
        # A link that was sent so comes back so.
        assert await changed_contents(there, there.entries) == {}


async def test_files_that_unpack_to_more_than_allowed_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "0" * 1_000_000})
    _, _, bundle = await shipped(folder)
    there = await unpack(bundle, tmp_path / "there")
    monkeypatch.setattr(bundles, "MAX_FILES_BYTES", 999_999)
    with pytest.raises(TooLarge):
        await changed_contents(there, {})
