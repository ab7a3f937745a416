"""Blocks that wait for an acceptance of their own, worked out without a disk and applied on one."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome, EditBlock
from jupyter_ac.chat.edits.apply_options import ApplyOptions
from jupyter_ac.chat.edits.applying.held_blocks import BUILDS_ON
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.ids import RepoPath
from tests.support.edited import Editing, delete, edit, editing_of, files_of, rename
from tests.support.examples import examples
from tests.support.repositories import make_repository

# Hundreds of git's processes: `make check` leaves them to `make test`.
pytestmark = pytest.mark.slow

FILES: dict[str, str | bytes] = {
    "a.txt": "one\ntwo\n",
    "conftest.py": "one\ntwo\n",
    ".githooks/pre-commit": "one\n",
    "tools/run": "one\n",
    "tools/other": "two\n",
    ".gitignore": "hidden/\n",
}
EXISTING = ApplyOptions(selection=None)


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Editing]:
    folder = make_repository(tmp_path / "r", FILES)
    (folder.root / "into").symlink_to(".githooks")
    (folder.root / "alias.py").symlink_to("conftest.py")
    (folder.root / "box").symlink_to("tools")
    (folder.root / "tools" / "run").chmod(0o755)
    folder.commit()
    made, database = editing_of(folder)
    yield made
    asyncio.run(database.aclose())


async def outcomes(
    work: Editing, *blocks: EditBlock, terms: ApplyOptions = EXISTING
) -> list[BlockOutcome]:
    return list((await work.applier.apply(blocks, terms, "turn")).outcomes)


WAITING = [
    edit("conftest.py", "one", "1"),
    edit("./conftest.py", "one", "1"),
    edit("alias.py", "one", "1"),
    edit("into/pre-commit", "one", "1"),
    edit("into/post-index-change", "", "evil"),
    edit(".GitHooks/post-index-change", "", "evil"),
    edit(".github/workflows/ci.yml", "", "evil"),
    edit("tests/deep/conftest.py", "", "evil"),
    edit("x\\.vscode\\tasks.json", "", "evil"),
    delete(".githooks/pre-commit"),
    delete("conftest.py"),
    rename("tools/run", ".githooks/post-index-change"),
    rename("tools/run", "into/post-index-change"),
    rename(".githooks/pre-commit", "tools/x"),
    rename("conftest.py", "other.py"),
    rename("box", ".husky"),
    rename("box", ".github"),
    delete("into/pre-commit"),
    edit(".gitignore", "hidden/", ""),
    edit("deep/.GITIGNORE", "", "!hidden/"),
    delete(".gitignore"),
    rename("tools/other", "tools/.gitignore"),
]


@pytest.mark.parametrize("block", WAITING, ids=lambda block: f"{block.kind} {block.path}")
async def test_a_protected_file_stays_as_it_is_until_its_block_is_accepted_by_itself(
    work: Editing, block: EditBlock
) -> None:
    before = work.state()
    (outcome,) = await outcomes(work, block)
    assert (outcome.status, work.state()) == (BlockStatus.PENDING, before)
    assert outcome.protected
    assert outcome.message == f"It waits for an acceptance of its own: {outcome.protected}."
    (again,) = await outcomes(
        work, block, terms=ApplyOptions(None, accepted={block.index: "other"})
    )
    assert (again, work.state()) == (outcome, before)
    accepted = ApplyOptions(None, accepted={block.index: outcome.protected})
    (done,) = await outcomes(work, block, terms=accepted)
    assert (done.status, done.protected) == (BlockStatus.APPLIED, outcome.protected)
    assert work.state() != before


async def test_other_blocks_of_the_answer_are_applied(work: Editing) -> None:
    found = await outcomes(
        work,
        edit("a.txt", "one", "1"),
        edit("conftest.py", "one", "1"),
        edit("a.txt", "two", "2"),
        edit("conftest.py", "nine", "9"),
        edit("conftest.py", "1", "I"),
    )
    assert [one.status for one in found] == [
        BlockStatus.APPLIED,
        BlockStatus.PENDING,
        BlockStatus.APPLIED,
        BlockStatus.FAILED,
        BlockStatus.PENDING,
    ]
    assert (work.folder.root / "a.txt").read_text() == "1\n2\n"
    assert (work.folder.root / "conftest.py").read_text() == "one\ntwo\n"
    assert work.folder.git("diff", "--cached", "--name-only") == "a.txt"


async def test_what_builds_on_a_block_that_waits_waits_with_it(work: Editing) -> None:
    before = work.state()
    found = await outcomes(
        work,
        rename("conftest.py", "plain.py"),
        edit("plain.py", "one", "1"),
        edit("conftest.py", "", "new"),
        delete("plain.py"),
    )
    assert [one.status for one in found] == [BlockStatus.PENDING] * 4
    assert [found[1].message, found[3].message] == [BUILDS_ON] * 2
    assert (found[1].protected, work.state()) == ("", before)


async def test_a_write_never_takes_in_that_of_a_block_that_waits(work: Editing) -> None:
    (work.folder.root / "conftest.py").unlink()
    (work.folder.root / "conftest.py").symlink_to("a.txt")
    found = await outcomes(
        work,
        edit("a.txt", "one", "1"),
        edit("conftest.py", "two", "2"),
        edit("a.txt", "1", "I"),
    )
    assert [one.status for one in found] == [
        BlockStatus.APPLIED,
        BlockStatus.PENDING,
        BlockStatus.PENDING,
    ]
    assert (work.folder.root / "a.txt").read_text() == "1\ntwo\n"


async def test_the_later_runs_of_a_batch_know_what_waits(work: Editing) -> None:
    """A link that goes ends a run."""
    found = await outcomes(
        work,
        rename("tools/run", ".githooks/run"),
        delete("box"),
        edit("tools/run", "none", "2"),
        edit("tools/other", "two", "2"),
    )
    assert [one.status for one in found] == [
        BlockStatus.PENDING,
        BlockStatus.APPLIED,
        BlockStatus.PENDING,
        BlockStatus.APPLIED,
    ]
    assert found[2].message == BUILDS_ON


async def test_blocks_know_what_waits_from_earlier_answers(work: Editing) -> None:
    terms = ApplyOptions(None, waiting=["conftest.py", "plain.py"])
    found = await outcomes(work, edit("plain.py", "x", "y"), edit("a.txt", "x", "y"), terms=terms)
    assert [one.status for one in found] == [BlockStatus.PENDING, BlockStatus.FAILED]


async def test_what_is_looked_at_says_what_is_protected(work: Editing) -> None:
    before = work.state()
    blocks = [edit("conftest.py", "one", "1"), edit("a.txt", "one", "1"), edit("a.txt", "1", "I")]
    found = await work.applier.look(blocks, EXISTING)
    assert [one.status for one in found] == [BlockStatus.PENDING] * 3
    assert [bool(one.protected) for one in found] == [True, False, False]
    assert work.state() == before


async def test_a_protected_file_that_is_open_waits_for_both(work: Editing) -> None:
    block = edit("conftest.py", "one", "1")
    terms = ApplyOptions(None, unsaved=[RepoPath("conftest.py")])
    (outcome,) = await outcomes(work, block, terms=terms)
    assert "unsaved" in outcome.message
    assert outcome.protected
    accepted = replace(terms, accepted={block.index: outcome.protected})
    (again,) = await outcomes(work, block, terms=accepted)
    assert again.status is BlockStatus.PENDING


async def test_a_configured_program_is_protected_as_the_configuration_stands(work: Editing) -> None:
    (first,) = await outcomes(work, edit("tools/run", "one", "1"))
    assert first.status is BlockStatus.APPLIED
    work.folder.git("config", "filter.strip.clean", "tools/run")
    found = await outcomes(work, edit("tools/run", "1", "2"), edit("tools/new", "", "x"))
    assert [one.status for one in found] == [BlockStatus.PENDING] * 2
    assert "'filter.strip.clean'" in found[0].protected


async def test_undo_asks_before_it_changes_a_protected_file(work: Editing) -> None:
    before = work.state()
    block = edit("conftest.py", "one", "1")
    (waiting,) = await outcomes(work, block)
    terms = ApplyOptions(None, accepted={block.index: waiting.protected})
    await outcomes(work, edit("a.txt", "one", "1"), block, terms=terms)
    after = work.state()
    for confirmed in ((), ["a.txt"], ["other"]):
        undone = await work.applier.undoing.undo("turn", None, confirmed)
        assert dict(undone.protected) == {"conftest.py": waiting.protected}
        assert (list(undone.files), work.state()) == ([], after)
    undone = await work.applier.undoing.undo("turn", None, ["conftest.py"])
    assert set(undone.files) == {"a.txt", "conftest.py"}
    assert work.state() == before


async def test_a_pattern_that_is_only_added_makes_git_ignore_more_and_does_not_wait(
    work: Editing,
) -> None:
    more = edit(".gitignore", "hidden/", "hidden/\nbuild/"), edit("tools/.gitignore", "", "*.log")
    assert [one.status for one in await outcomes(work, *more)] == [BlockStatus.APPLIED] * 2


async def test_undo_brings_no_hook_back_that_others_put_into_the_history(work: Editing) -> None:
    """The kept images come from a file that a copied repository brings along."""
    await work.one(edit("a.txt", "one", "1"))
    state = work.folder.root / ".git" / "jupyter_ac" / "history.sqlite"
    with closing(sqlite3.connect(state)) as db, db:
        db.execute(
            "UPDATE edited_files SET path = ?, data = ?, signs = ?, entries = ?",
            (json.dumps(".githooks/post-index-change"), b"evil", json.dumps([""]), "[]"),
        )
    undone = await work.applier.undoing.undo("turn")
    assert undone.reason
    assert list(undone.files) == []
    assert not (work.folder.root / ".githooks/post-index-change").exists()


NAMES = [
    *("a.txt", "b.txt", "new.txt", "conftest.py", "alias.py", ".githooks/pre-commit"),
    *("into/pre-commit", "into/new", "box", "box/run", "tools/run", ".husky", ".husky/run"),
]
GUARDED = (".githooks", ".husky", "conftest.py")
BLOCKS = st.lists(
    st.one_of(
        st.builds(edit, st.sampled_from(NAMES), st.sampled_from(["", "one"]), st.just("x")),
        st.builds(delete, st.sampled_from(NAMES)),
        st.builds(rename, st.sampled_from(NAMES), st.sampled_from(NAMES)),
    ),
    min_size=2,
    max_size=7,
)


@given(BLOCKS)
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_order_of_blocks_reaches_a_protected_file(
    work: Editing, blocks: list[EditBlock]
) -> None:
    """What one example has changed is what the next one finds."""
    before = guarded(work)
    found = asyncio.run(work.applier.apply(blocks, EXISTING, "turn")).outcomes
    assert guarded(work) == before
    assert not any(one.protected for one in found if one.status is BlockStatus.APPLIED)


def guarded(work: Editing) -> dict[str, object]:
    kept = {name: what for name, what in files_of(work.folder).items() if name.startswith(GUARDED)}
    return kept | {"index": work.folder.git("ls-files", "-s", *GUARDED)}
