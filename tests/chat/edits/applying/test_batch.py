"""Any blocks on any files: what no block names keeps its bytes and its index entry."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edits.applying.batch import run_length
from jupyter_ac.chat.edits.applying.path_checks import BlockTarget, LinkTarget
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.ids import RepoPath
from tests.support.edited import (
    Editing,
    apply_options,
    delete,
    edit,
    editing,
    editing_of,
    rename,
    state_of,
)
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


TEXT = "one\ntwo\n"
BATCH_NAMES = [
    "a",
    "a/b",
    "a/b/c",
    "d",
    "d/x",
    "ln",
    "ln/x",
    "lf",
    "lf2",
    "sub/l",
    "sub/l/x",
    "sub/k",
]

named_blocks = st.one_of(
    st.builds(edit, names, st.sampled_from(["", "one\n"]), st.sampled_from(["one\n", "two\n"])),
    st.builds(delete, names),
    st.builds(rename, names, names),
)


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Editing]:
    folder = make_repository(
        tmp_path / "r",
        {"real.txt": TEXT, "src.txt": TEXT, "cfg": "a\n", "d/x.txt": "x\n", "deep/f.txt": TEXT},
    )
    (folder.root / "ln.txt").symlink_to("real.txt")
    (folder.root / "ln").symlink_to("deep")
    folder.commit()
    made, database = editing_of(folder)
    yield made
    asyncio.run(database.aclose())


async def applied(work: Editing, *named_blocks: EditBlock) -> list[BlockStatus]:
    """Apply blocks, and tell what became of them; undo must give back exactly what was."""
    before = state_of(work.folder)
    first = await work.apply(*named_blocks, batch="tried")
    after = state_of(work.folder)
    assert (await work.undo("tried")).reason == ""
    assert state_of(work.folder) == before
    folders = [place for place in work.folder.root.iterdir() if place.is_dir()]
    assert all(any(folder.iterdir()) for folder in folders)
    again = await work.apply(*named_blocks)
    assert state_of(work.folder) == after
    assert [each.status for each in again.outcomes] == [each.status for each in first.outcomes]
    assert len(work.heard.paths) == 3
    return [each.status for each in again.outcomes]


def text(work: Editing, name: str) -> str:
    return (work.folder.root / name).read_text()


def status(work: Editing) -> list[str]:
    return work.folder.git("status", "--porcelain", "--untracked-files=all").splitlines()


async def test_behind_a_deleted_link_nothing_reaches_what_it_led_to(work: Editing) -> None:
    got = await applied(work, delete("ln.txt"), edit("ln.txt", "two", "2"))
    assert got == [BlockStatus.APPLIED, BlockStatus.FAILED]
    assert text(work, "real.txt") == TEXT
    assert status(work) == ["D  ln.txt"]


async def test_a_file_renamed_over_a_deleted_link_is_the_one_that_is_edited(work: Editing) -> None:
    got = await applied(
        work, delete("ln.txt"), rename("src.txt", "ln.txt"), edit("ln.txt", "two", "2")
    )
    assert got == [BlockStatus.APPLIED] * 3
    assert (text(work, "real.txt"), text(work, "ln.txt")) == (TEXT, "one\n2\n")
    assert not (work.folder.root / "ln.txt").is_symlink()
    assert not (work.folder.root / "src.txt").exists()


async def test_a_file_is_created_in_a_deleted_links_place(work: Editing) -> None:
    assert (
        await applied(work, delete("ln.txt"), edit("ln.txt", "", "new"))
        == [BlockStatus.APPLIED] * 2
    )
    assert (text(work, "real.txt"), text(work, "ln.txt")) == (TEXT, "new\n")


async def test_a_renamed_link_leads_where_it_led(work: Editing) -> None:
    got = await applied(
        work, rename("ln.txt", "lm.txt"), edit("lm.txt", "two", "2"), edit("ln.txt", "", "n")
    )
    assert got == [BlockStatus.APPLIED] * 3
    assert (text(work, "real.txt"), text(work, "ln.txt")) == ("one\n2\n", "n\n")
    assert (work.folder.root / "lm.txt").is_symlink()


async def test_a_link_that_leads_through_another_follows_what_becomes_of_that(
    work: Editing,
) -> None:
    (work.folder.root / "far.txt").symlink_to("ln.txt")
    work.folder.commit()
    got = await applied(
        work, delete("ln.txt"), edit("ln.txt", "", "new"), edit("far.txt", "new", "newer")
    )
    assert got == [BlockStatus.APPLIED] * 3
    assert (text(work, "real.txt"), text(work, "ln.txt")) == (TEXT, "newer\n")


async def test_a_link_to_a_folder_is_deleted_and_a_folder_made_in_its_place(work: Editing) -> None:
    got = await applied(work, delete("ln"), edit("ln/n.txt", "", "n"), edit("ln/m.txt", "", "m"))
    assert got == [BlockStatus.APPLIED] * 3
    assert not (work.folder.root / "ln").is_symlink()
    assert [place.name for place in (work.folder.root / "deep").iterdir()] == ["f.txt"]


async def test_a_link_to_a_folder_needs_no_context_to_be_renamed_or_deleted(work: Editing) -> None:
    result = await work.apply(rename("ln", "lm"), delete("lm"), selection=[])
    assert [each.status for each in result.outcomes] == [BlockStatus.APPLIED] * 2
    assert text(work, "deep/f.txt") == TEXT


async def test_a_file_becomes_a_folder(work: Editing) -> None:
    got = await applied(work, delete("cfg"), edit("cfg/b.txt", "", "new"))
    assert got == [BlockStatus.APPLIED] * 2
    assert status(work) == ["D  cfg", "A  cfg/b.txt"]


async def test_a_renamed_file_makes_room_for_a_folder(work: Editing) -> None:
    got = await applied(
        work,
        rename("cfg", "cfg_old"),
        edit("cfg/main.py", "", "x = 1"),
        edit("cfg/main.py", "x = 1", "x = 2"),
        edit("cfg/more.py", "", "y = 1"),
        edit("cfg_old", "a", "b"),
    )
    assert got == [BlockStatus.APPLIED] * 5
    assert (text(work, "cfg/main.py"), text(work, "cfg_old")) == ("x = 2\n", "b\n")


async def test_a_folder_becomes_a_file_and_a_folder_again(work: Editing) -> None:
    got = await applied(work, delete("d/x.txt"), edit("d", "", "a file"))
    assert got == [BlockStatus.APPLIED] * 2
    assert (await work.undo()).reason == ""
    work.heard.paths.clear()
    got = await applied(
        work,
        edit("d/new/y.txt", "", "y"),
        delete("d/x.txt"),
        delete("d/new/y.txt"),
        rename("cfg", "d"),
        edit("d", "a", "b"),
        delete("d"),
        edit("d/z.txt", "", "z"),
    )
    assert got == [BlockStatus.APPLIED] * 7
    assert text(work, "d/z.txt") == "z\n"


async def test_what_fails_first_keeps_the_later_ones_from_being_applied(work: Editing) -> None:
    before = state_of(work.folder)
    result = await work.apply(delete("cfg"), edit("cfg/b.txt", "", "new"), selection=[])
    assert [each.status for each in result.outcomes] == [
        BlockStatus.NOT_IN_CONTEXT,
        BlockStatus.SKIPPED,
    ]
    assert state_of(work.folder) == before


async def test_one_answer_is_staged_and_told_once_however_many_runs_it_takes(
    work: Editing,
) -> None:
    result = await work.apply(
        rename("src.txt", "s2.txt"),
        delete("cfg"),
        edit("cfg/n.txt", "", "n"),
        rename("s2.txt", "s3.txt"),
        delete("ln.txt"),
        edit("ln.txt", "", "n"),
    )
    assert work.heard.paths == [result.modified]
    assert (result.created, result.deleted) == (["cfg/n.txt"], ["cfg"])
    assert result.renamed == [("src.txt", "s3.txt")]
    assert all(not each.notes for each in result.outcomes)
    assert not work.folder.git("diff", "--name-only")


async def test_in_review_blocks_that_build_on_others_wait_and_are_applied_with_them(
    work: Editing,
) -> None:
    before = state_of(work.folder)
    named_blocks = [delete("cfg"), edit("cfg/b.txt", "", "new"), edit("../x", "", "no")]
    looked = await work.applier.look(named_blocks, apply_options(None))
    assert [each.status for each in looked] == [
        BlockStatus.PENDING,
        BlockStatus.PENDING,
        BlockStatus.SKIPPED,
    ]
    assert state_of(work.folder) == before


def test_a_run_ends_where_a_path_may_mean_something_else() -> None:
    def about(block: EditBlock, link: LinkTarget = LinkTarget.NONE) -> BlockTarget:
        key = RepoPath(block.path)
        return BlockTarget(0, block, key, key, RepoPath(block.new_path) or None, link)

    swap = [rename("a", "t"), rename("b", "a"), rename("t", "b"), edit("b", "x", "y")]
    assert run_length(list(map(about, swap))) == 4
    assert run_length([about(delete("a")), about(edit("ab/c")), about(edit("a/b"))]) == 2
    assert run_length([about(delete("a/b/c")), about(edit("a/d")), about(edit("a"))]) == 2
    assert run_length([about(delete("l"), LinkTarget.FILE), about(edit("l"))]) == 1
    assert run_length([]) == 0


async def test_in_review_a_block_that_builds_on_no_other_is_matched_at_once(work: Editing) -> None:
    named_blocks = [
        *(delete("ln.txt"), edit("ln.txt", "no such line", "x"), rename("ln", "lm")),
        *(edit("lm", "", "x"), edit("src.txt", "no such line", "x"), edit("src.txt", "two", "2")),
    ]
    looked = await work.applier.look(named_blocks, apply_options(None))
    waits, failed = BlockStatus.PENDING, BlockStatus.FAILED
    assert [each.status for each in looked] == [waits, waits, waits, waits, failed, waits]


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> RepositoryFolder:
    kept = {"a": "one\n", "d/x": "one\n", "d/kept": "one\n", "sub/k": "one\n", "kept": "one\n"}
    folder = make_repository(tmp_path_factory.mktemp("linked") / "r", dict(kept))
    for name, target in (("ln", "d"), ("lf", "kept"), ("lf2", "lf"), ("sub/l", "../d")):
        (folder.root / name).symlink_to(target)
    folder.commit()
    return folder


@settings(
    deadline=None,
    max_examples=examples(12),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(asked=st.lists(named_blocks, min_size=2, max_size=6))
def test_blocks_of_one_answer_come_to_the_same_as_one_after_another(
    linked: RepositoryFolder, tmp_path: Path, asked: list[EditBlock]
) -> None:
    async def outcome(*parts: list[EditBlock]) -> dict[str, object]:
        folder = RepositoryFolder(tmp_path / f"copy{next(numbers)}")
        shutil.copytree(linked.root, folder.root, symlinks=True)
        before = state_of(folder)
        async with editing(folder) as work:
            results = [await work.apply(*part) for part in parts]
            after = state_of(folder)
            if any(result.modified for result in results):
                assert (await work.undo()).reason == ""
                assert state_of(folder) == before
        return after

    together = asyncio.run(outcome(asked))
    assert together == asyncio.run(outcome(*([block] for block in asked)))
