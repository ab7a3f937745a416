from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.staging import folders_above
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.worktrees.tree_entries import merge_entries

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
