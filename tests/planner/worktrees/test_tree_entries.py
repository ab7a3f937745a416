import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import GitError
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.repository import discover
from jupyter_ac.git.staging import folders_above
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.worktrees import tree_entries
from jupyter_ac.planner.worktrees.tree_entries import CommitFiles, entries_of, merge_entries
from tests.support.repositories import make_repository

PATHS = st.sampled_from([RepoPath(each) for each in ("a", "b", "a/b", "a/c", "b/a/c", "c")])
VERSIONS = st.builds(
    FileVersion, st.sampled_from(["100644", "100755", "120000"]), st.sampled_from("123")
)


def _sound(entries: dict[RepoPath, FileVersion]) -> dict[RepoPath, FileVersion]:
    return {path: each for path, each in entries.items() if not _is_below(path, entries)}


def _is_below(path: RepoPath, entries: dict[RepoPath, FileVersion]) -> bool:
    return any(above in entries for above in folders_above(path))


TREES = st.dictionaries(PATHS, VERSIONS, max_size=5).map(_sound)


@given(TREES, TREES, TREES)
def test_each_change_of_one_side_is_taken_and_others_are_named(
    base: dict[RepoPath, FileVersion],
    ours: dict[RepoPath, FileVersion],
    theirs: dict[RepoPath, FileVersion],
) -> None:
    merged = merge_entries(base, ours, theirs)
    open_ones = {*merged.texts, *merged.conflicts}
    for path in {*base, *ours, *theirs} - open_ones:
        old, our, their = base.get(path), ours.get(path), theirs.get(path)
        assert merged.entries.get(path) == (their if our == old else our)
        assert their in {old, our} or our == old
    assert _sound(merged.entries) == merged.entries
    for path in merged.texts:
        assert path in base
        assert path in ours
        assert path in theirs


@given(TREES, TREES)
def test_a_side_without_changes_has_no_say(
    base: dict[RepoPath, FileVersion], other: dict[RepoPath, FileVersion]
) -> None:
    for ours, theirs in ((base, other), (other, base), (other, other)):
        merged = merge_entries(base, ours, theirs)
        if (ours, theirs) != (base, other) or not merged.conflicts:
            assert merged.entries == other
            assert (merged.texts, merged.conflicts) == ((), ())


async def test_files_of_the_last_commits_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_entries, "MAX_COMMITS", 1)
    folder = make_repository(tmp_path / "r", {"a": "1"})
    first = folder.git("rev-parse", "HEAD").strip()
    (folder.root / "b").write_text("2", encoding="utf-8")
    folder.git("add", "b")
    folder.git("commit", "-m", "b")
    repository = await discover(folder.root)
    commits = CommitFiles(repository)
    for commit, paths in ((first, {"a"}), ("HEAD", {"a", "b"}), (first, {"a"})):
        assert await commits.of(commit) == await entries_of(repository, commit)
        assert set(await commits.of(commit)) == paths
    kept = {"c": FileVersion("100644", "3" * 40)}
    commits.keep("1" * 40, {RepoPath(path): version for path, version in kept.items()})
    assert await commits.of("1" * 40) == kept
    with pytest.raises(GitError):
        await commits.of("2" * 40)


async def test_contents_of_small_files_are_kept_within_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_entries, "MAX_KEPT", 4)
    monkeypatch.setattr(tree_entries, "MAX_BYTES", 5)
    folder = make_repository(
        tmp_path / "r", {"a": "aaa", "b": "bb", "c": "ccccc", "d": "dd", "e": ""}
    )
    commits = CommitFiles(await discover(folder.root))
    blobs = {path: each.blob for path, each in (await commits.of("HEAD")).items()}
    wanted = [blobs[RepoPath(path)] for path in "abcdea"]
    for _ in range(2):
        assert await commits.contents(wanted) == [b"aaa", b"bb", b"ccccc", b"dd", b"", b"aaa"]
    shutil.rmtree(folder.root / ".git" / "objects")
    assert await commits.contents([blobs[RepoPath("d")]]) == [b"dd"]
    with pytest.raises(GitError):
        await commits.contents([blobs[RepoPath("c")]])
