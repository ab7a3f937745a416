"""Any blocks on any files: what no block names keeps its bytes and its index entry."""

import asyncio
from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edit_blocks.outcomes import BlockStatus
from tests.support.edited import apply_options, delete, editing, rename, state_of
from tests.support.examples import examples
from tests.support.repositories import RepositoryFolder, make_repository

NAMES = ["a.py", "b c.py", "d/e.py", "d/f.log", "g", "link.py"]
WORDS = ["one", "two", "", "  two", "three"]

names = st.sampled_from(NAMES)
texts = st.lists(st.sampled_from(WORDS), max_size=3).map(tuple)
contents = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(["\n", "\r\n"])), max_size=6
).map(lambda lines: "".join(word + end for word, end in lines).encode())
blocks = st.one_of(
    st.builds(EditBlock, st.just(0), st.just(BlockKind.EDIT), names, texts, texts),
    st.builds(delete, names),
    st.builds(rename, names, names),
)
numbers = count()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> RepositoryFolder:
    folder = make_repository(tmp_path_factory.mktemp("any") / "r", {".gitignore": "*.log\n"})
    folder.write("untouched.py", "left\nunstaged\n")
    folder.git("add", "untouched.py")
    folder.write("untouched.py", "left\nalone\n")
    return folder


def lay_out(folder: RepositoryFolder, files: dict[str, bytes], staged: set[str]) -> None:
    """Make the files anew, some of them in the index as they are, some otherwise."""
    for name in NAMES:
        (folder.root / name).unlink(missing_ok=True)
    folder.git("update-index", "--force-remove", *NAMES)
    for name, data in files.items():
        folder.write(name, b"other\n")
        if name in staged:
            folder.git("add", "--force", name)
        if name == "link.py":
            (folder.root / name).unlink()
            (folder.root / name).symlink_to("a.py")
        else:
            folder.write(name, data)


def expected(files: dict[str, bytes], asked: list[EditBlock], done: list[BlockStatus]) -> set[str]:
    """Return the files that applied blocks name, a link's target with it."""
    named: set[str] = set()
    for block, status in zip(asked, done, strict=True):
        if status is BlockStatus.APPLIED:
            named |= {block.path, block.new_path}
    return named | ({"a.py"} if "link.py" in named and "link.py" in files else set())


def entries_of(state: dict[str, object]) -> dict[str, str]:
    rows = str(state["index"]).splitlines()
    return {row.partition("\t")[2]: row for row in rows}


@settings(
    deadline=None,
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.dictionaries(names, contents, max_size=5),
    st.sets(names),
    st.lists(blocks, min_size=1, max_size=6),
)
def test_files_without_an_applied_block_keep_bytes_and_entries_and_undo_restores_the_rest(
    shared: RepositoryFolder, files: dict[str, bytes], staged: set[str], asked: list[EditBlock]
) -> None:
    lay_out(shared, files, staged)
    before = state_of(shared)
    batch = f"any-{next(numbers)}"

    async def go() -> None:
        async with editing(shared) as work:
            looked = await work.applier.look(asked, apply_options(None))
            assert state_of(shared) == before
            applied = await work.applier.apply(asked, apply_options(None), batch)
            done = [each.status for each in applied.outcomes]
            assert [each.block for each in applied.outcomes] == asked
            assert [each.status for each in looked] == [
                BlockStatus.PENDING if status is BlockStatus.APPLIED else status for status in done
            ]
            after = state_of(shared)
            named = expected(files, asked, done)
            old, new = entries_of(before), entries_of(after)
            for name in (before.keys() | after.keys()) - {"index", "promised", *named}:
                assert after.get(name) == before.get(name), name
                assert new.get(name) == old.get(name), name
            changed = {name for name in before.keys() | after.keys() if name in NAMES}
            changed = {name for name in changed if after.get(name) != before.get(name)}
            assert changed <= set(applied.modified) <= {*named}
            if not any(status is BlockStatus.APPLIED for status in done):
                assert after == before
                return
            undone = await work.applier.undoing.undo(batch)
            assert undone.reason == ""
            assert state_of(shared) == before

    asyncio.run(go())


def write(folder: RepositoryFolder, name: str) -> None:
    folder.write(name, "somebody else's\n")


def stage(folder: RepositoryFolder, name: str) -> None:
    folder.git("add", "--force", "--all", "--", name, ok=(0, 128))


def stage_otherwise(folder: RepositoryFolder, name: str) -> None:
    blob = folder.git("rev-parse", "HEAD:.gitignore")
    folder.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")


def untrack(folder: RepositoryFolder, name: str) -> None:
    folder.git("update-index", "--force-remove", name)


def remove(folder: RepositoryFolder, name: str) -> None:
    (folder.root / name).unlink(missing_ok=True)


def make_executable(folder: RepositoryFolder, name: str) -> None:
    if (folder.root / name).is_file() and not (folder.root / name).is_symlink():
        (folder.root / name).chmod(0o755)


def nothing(_folder: RepositoryFolder, _name: str) -> None:
    """Leave all as it is."""


ACTIONS = [write, stage, stage_otherwise, untrack, remove, make_executable, nothing]
meddling = st.lists(st.tuples(st.sampled_from(ACTIONS), names), min_size=1, max_size=3)


def content(entry: object) -> object:
    """A file's hash and bytes without its mode; other entries as they are."""
    return entry[1:] if isinstance(entry, tuple) else entry


@settings(deadline=None, max_examples=examples(25))
@given(
    st.dictionaries(names, contents, max_size=5),
    st.sets(names),
    st.lists(blocks, min_size=1, max_size=6),
    meddling,
)
def test_undo_after_others_have_meddled_is_exact_or_changes_nothing(
    shared: RepositoryFolder,
    files: dict[str, bytes],
    staged: set[str],
    asked: list[EditBlock],
    meddled: list[tuple[Callable[[RepositoryFolder, str], None], str]],
) -> None:
    lay_out(shared, files, staged)
    before = state_of(shared)
    batch = f"meddled-{next(numbers)}"

    async def go() -> None:
        async with editing(shared) as work:
            applied = await work.applier.apply(asked, apply_options(None), batch)
            after = state_of(shared)
            for action, name in meddled:
                action(shared, name)
            found = state_of(shared)
            undone = await work.applier.undoing.undo(batch)
            end = state_of(shared)
            if undone.reason:
                assert end == found
                return
            old, last, new = entries_of(before), entries_of(found), entries_of(end)
            for name in {*NAMES, *applied.modified}:
                if name in undone.files:
                    assert end.get(name) == before.get(name), name
                    assert new.get(name) == old.get(name), name
                    # A mode alone doesn't count as a change: some file systems make it up.
                    known = [content(before.get(name)), content(after.get(name))]
                    assert content(found.get(name)) in known, name
                else:
                    assert end.get(name) == found.get(name), name
                    assert new.get(name) == last.get(name), name

    asyncio.run(go())
