"""Single index entries of real repositories."""

import hashlib
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry
from jupyter_ac.git.index_entries import (
    IndexChanges,
    IndexEntry,
    ignored,
    is_in_conflict,
    matching_index,
    missing_blobs,
    read_entries,
    restore_entries,
    stage_exactly,
    without_skip_flags,
)
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath
from tests.support.repositories import RepositoryFolder, diverge, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(
        tmp_path / "r", {"a.py": "a\n", "d/b.py": "b\n", "e.py": "", ".gitignore": "*.log\n"}
    )


def paths(*names: str) -> list[RepoPath]:
    return [RepoPath(name) for name in names]


def blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def row(folder: RepositoryFolder) -> str:
    return folder.git("ls-files", "-s", "-v") + folder.git("diff-files", "--diff-filter=A")


def file(data: bytes, mode: int = 0o100644) -> DiskEntry:
    return DiskEntry(data, mode)


async def test_entries_are_read_for_literal_names_only(folder: RepositoryFolder) -> None:
    folder.write(":(glob)*.py", "x\n")
    folder.git("add", "-A")
    folder.write("n.py", "n\n")
    folder.git("add", "-N", "n.py")
    folder.git("update-index", "--assume-unchanged", "a.py")
    found = await read_entries(
        await discover(folder.root), paths("a.py", "d", "e.py", "n.py", "*.py", ":(glob)*.py")
    )
    assert found == {
        "a.py": (IndexEntry("100644", blob(b"a\n"), is_overlooked=True),),
        "d": (),
        "e.py": (IndexEntry("100644", blob(b"")),),
        "n.py": (IndexEntry("100644", blob(b""), is_promise=True),),
        "*.py": (),
        ":(glob)*.py": (IndexEntry("100644", blob(b"x\n")),),
    }


async def test_entries_come_back_exactly_conflicts_promises_and_absence_included(
    folder: RepositoryFolder,
) -> None:
    diverge(folder, "a.py")
    folder.git("merge", "side", ok=(1,))
    folder.write("n.py", "n\n")
    folder.git("add", "-N", "n.py")
    folder.write("u.py", "u\n")
    before = row(folder)
    repository = await discover(folder.root)
    stored = await read_entries(repository, paths("a.py", "n.py", "u.py", "d/b.py"))
    assert is_in_conflict(stored[RepoPath("a.py")])
    assert not is_in_conflict(stored[RepoPath("d/b.py")])
    folder.git("add", "a.py", "n.py", "u.py")
    folder.git("rm", "--cached", "--quiet", "d/b.py")
    await restore_entries(Git(repository), stored)
    assert row(folder) == before
    await restore_entries(Git(repository), {})


async def test_what_is_staged_as_it_stands_is_told_with_git_s_own_filters(
    folder: RepositoryFolder,
) -> None:
    folder.git("config", "core.autocrlf", "true")
    folder.write("crlf.txt", b"x\r\n")
    folder.git("add", "crlf.txt")
    repository = await discover(folder.root)
    held = await read_entries(repository, paths("a.py", "crlf.txt", "none"))
    (entry,), (crlf,), none = held.values()
    same = await matching_index(
        repository,
        {
            RepoPath("a.py"): ((entry,), file(b"a\n")),
            RepoPath("crlf.txt"): ((crlf,), file(b"x\r\n")),
            RepoPath("none"): (none, NOTHING),
        },
    )
    assert same == {"a.py", "crlf.txt", "none"}
    for entries, found in (
        ((entry,), file(b"a\n", 0o100755)),
        ((entry,), NOTHING),
        ((), file(b"a\n")),
        ((IndexEntry("100644", blob(b"a\n"), is_promise=True),), file(b"a\n")),
        ((IndexEntry("100644", blob(b"a\n"), stage=2),), file(b"a\n")),
        ((IndexEntry("100644", blob(b"b\n")),), file(b"a\n")),
    ):
        assert not await matching_index(repository, {RepoPath("a.py"): (entries, found)})


async def test_ignored_files_are_told_whatever_their_names_hold(folder: RepositoryFolder) -> None:
    names = paths("x.log", ":!x.log", "*.log", "new/[a].log", "a.py", "-x", "x.logs")
    repository = await discover(folder.root)
    assert await ignored(repository, names) == {"x.log", ":!x.log", "*.log", "new/[a].log"}
    assert await ignored(repository, []) == set()


async def test_changes_are_staged_by_literal_name_and_nothing_else(
    folder: RepositoryFolder,
) -> None:
    folder.write("a.py", "changed\n")
    folder.write("*.py", "star\n")
    (folder.root / "e.py").rename(folder.root / "f.py")
    repository = await discover(folder.root)
    moved = IndexEntry("100644", blob(b""))
    changes = IndexChanges(
        removed=paths("e.py"), moved=[(RepoPath("f.py"), moved)], written=paths("*.py")
    )
    assert changes.paths == ["e.py", "f.py", "*.py"]
    assert await stage_exactly(Git(repository), changes) == {}
    assert folder.git("status", "--porcelain").splitlines() == [
        "A  *.py",
        " M a.py",
        "R  e.py -> f.py",
    ]


async def test_what_git_does_not_take_is_named_and_the_rest_staged(
    folder: RepositoryFolder,
) -> None:
    repository = await discover(folder.root)
    folder.write("a.py", "changed\n")
    make_repository(folder.root / "inner")
    refused = await stage_exactly(
        Git(repository), IndexChanges(written=paths("a.py", "inner/x"), removed=paths("d/b.py"))
    )
    assert "inner/x" not in folder.git("ls-files")
    assert "a.py" not in refused
    assert folder.git("diff", "--cached", "--name-only").splitlines() == ["a.py"]
    assert list(await stage_exactly(Git(repository), IndexChanges(written=paths("../x")))) == [
        "../x"
    ]


_EXCHANGING_GIT = """\
#!/bin/sh
exchanged=
case " $* " in *" update-index "*) [ -e {mark} ] && exchanged=1 ;; esac
[ -z "$exchanged" ] || {{ {once} mv d d.kept; mv {outside} d; }}
{git} "$@"
code=$?
[ -z "$exchanged" ] || {{ mv d {outside}; mv d.kept d; }}
exit $code
"""
"""A git before which a folder is exchanged for another, and back again after it."""


@pytest.mark.parametrize("is_always", [False, True])
async def test_what_git_read_in_an_exchanged_folder_is_never_staged(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_always: bool
) -> None:
    outside, mark = tmp_path / "outside", tmp_path / "mark"
    outside.mkdir()
    mark.touch()
    (outside / "b.py").write_text("somebody else's\n")
    (outside / "new.py").write_text("somebody else's\n")
    git = tmp_path / "bin/git"
    git.parent.mkdir()
    once = "" if is_always else f"rm {mark};"
    script = _EXCHANGING_GIT.format(mark=mark, outside=outside, once=once, git=shutil.which("git"))
    git.write_text(script)
    git.chmod(0o755)
    folder.write("d/b.py", "ours\n")
    folder.write("d/new.py", "ours\n")
    before = folder.git("ls-files", "-s")
    repository = await discover(folder.root)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", f"{git.parent}{os.pathsep}{os.environ['PATH']}")
        written = paths("d/b.py", "d/new.py")
        refused = await stage_exactly(Git(repository), IndexChanges(written=written))
    if not is_always:
        assert refused == {}
        assert folder.git("show", ":d/b.py", ":d/new.py") == "ours\nours"
        return
    assert set(refused) == set(written)
    assert all("was replaced while git read it" in one.reason for one in refused.values())
    assert folder.git("ls-files", "-s") == before


async def test_what_git_itself_makes_of_a_file_is_staged(folder: RepositoryFolder) -> None:
    folder.write(".gitattributes", "*.txt text eol=crlf\n*.id ident\n")
    folder.write("a.txt", "1\r\n2\r\n")
    folder.write("a.id", "$Id: of old $\n")
    (folder.root / "link.txt").symlink_to("a.txt")
    folder.write("program.txt", "x\r\n").chmod(0o755)
    written = paths("a.txt", "a.id", "link.txt", "program.txt", "gone")
    assert (
        await stage_exactly(Git(await discover(folder.root)), IndexChanges(written=written)) == {}
    )
    assert folder.git("show", ":a.txt", ":a.id", ":program.txt") == "1\n2\n$Id$\nx"
    rows = folder.git("ls-files", "-s", "link.txt", "program.txt").splitlines()
    assert [row.split()[0] for row in rows] == ["120000", "100755"]


async def test_contents_that_are_gone_are_told(folder: RepositoryFolder) -> None:
    repository = await discover(folder.root)
    there, gone = IndexEntry("100644", blob(b"a\n")), IndexEntry("100644", blob(b"never\n"))
    module = IndexEntry("160000", blob(b"no"))
    assert await missing_blobs(repository, [there, gone, module]) == {gone.blob}
    assert await missing_blobs(repository, [module]) == set()


async def test_an_index_that_cannot_be_read_is_an_error(folder: RepositoryFolder) -> None:
    (folder.root / ".git/index").write_bytes(b"damaged")
    common = folder.root / ".git"
    with pytest.raises(GitError, match="ls-files"):
        await read_entries(Repository(folder.root, common, common, "r"), paths("a.py"))


def test_entries_that_differ_in_being_overlooked_only_are_the_same_without_it() -> None:
    plain = IndexEntry("100644", "1" * 40, stage=2)
    assert without_skip_flags((replace(plain, is_overlooked=True), plain)) == (plain, plain)
