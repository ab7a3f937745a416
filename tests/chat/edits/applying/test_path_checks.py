"""Which file a block means."""

from pathlib import Path

import pytest

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.chat.edits.applying.path_checks import BlockTarget, refused, target_of
from jupyter_ac.edit_rows import BlockStatus, ErrorType
from jupyter_ac.errors import RefusedPath
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED
from tests.support.edited import delete, edit, rename, repository_of
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    folder = make_repository(tmp_path / "r", {"a.py": "a\n", "d/b.py": "b\n"})
    (folder.root / "link.py").symlink_to("d/b.py")
    (folder.root / "e").symlink_to("d")
    return folder


async def target(folder: RepositoryFolder, block: EditBlock) -> BlockTarget:
    found = await target_of(repository_of(folder), 3, block, NONE_EXCLUDED)
    assert isinstance(found, BlockTarget), found
    return found


async def test_an_edit_reaches_through_links_and_an_entry_is_the_link_itself(
    folder: RepositoryFolder,
) -> None:
    found = await target(folder, edit("./link.py", "b", "c"))
    assert (found.position, found.path, found.keys) == (3, "link.py", ("d/b.py",))
    assert (await target(folder, delete("link.py"))).keys == ("link.py",)
    assert (await target(folder, edit("e/b.py", "b", "c"))).keys == ("d/b.py",)
    found = await target(folder, rename("e/b.py", "e/new/c.py"))
    assert (found.path, found.keys) == ("e/b.py", ("d/b.py", "d/new/c.py"))


async def test_a_name_with_a_backslash_is_the_file_if_there_is_one(
    folder: RepositoryFolder,
) -> None:
    assert (await target(folder, edit("d\\b.py", "b", "c"))).key == "d/b.py"
    folder.write("d\\b.py", "literal\n")
    assert (await target(folder, edit("d\\b.py", "b", "c"))).key == "d\\b.py"


async def test_a_block_that_is_not_closed_or_has_no_path_is_never_applied(
    folder: RepositoryFolder,
) -> None:
    for block in (
        EditBlock(0, BlockKind.EDIT, "a.py", ("a",), ("b",), is_complete=False),
        EditBlock(0, BlockKind.EDIT, "", ("a",), ("b",)),
        EditBlock(0, BlockKind.DELETE, ""),
        EditBlock(0, BlockKind.RENAME, "a.py", new_path=""),
    ):
        found = await target_of(repository_of(folder), 0, block, NONE_EXCLUDED)
        assert isinstance(found, BlockOutcome)
        assert (found.status, found.error_type) == (BlockStatus.FAILED, ErrorType.VALIDATION_ERROR)


def test_a_refusal_is_skipped() -> None:
    outcome = refused(edit("x"), RefusedPath("Why."))
    assert (outcome.status, outcome.message) == (BlockStatus.SKIPPED, "Why.")
