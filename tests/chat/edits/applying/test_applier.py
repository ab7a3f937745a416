"""Blocks applied to real repositories, a test for each rule."""

import asyncio
import os
import stat
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.chat.edit_blocks.file_changes import Change
from jupyter_ac.chat.history.before_images import Fresh
from jupyter_ac.edit_rows import BlockStatus, ErrorType
from jupyter_ac.errors import AcError
from jupyter_ac.git.writing import ALL_FILES
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.locks import hold
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
from tests.support.repositories import RepositoryFolder, make_repository

FILES: dict[str, str | bytes] = {
    "a.py": "one\ntwo\nthree\n",
    "b.py": "x = 1\n",
    "docs/c.md": "# C\n\ntext\n",
    "win.txt": b"\xef\xbb\xbfone\r\ntwo\r\nthree",
    "empty.txt": "",
    ".gitignore": "*.log\nbuild/\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", FILES)


@pytest.fixture
def work(folder: RepositoryFolder) -> Iterator[Editing]:
    made, database = editing_of(folder)
    yield made
    asyncio.run(database.aclose())


def status(folder: RepositoryFolder) -> list[str]:
    return folder.git("status", "--porcelain", "--untracked-files=all").splitlines()


async def test_an_applied_edit_is_written_staged_and_told_once(work: Editing) -> None:
    applied = await work.apply(
        edit("a.py", "two", "2\n2b"), edit("b.py", "x = 1", "x = 2"), edit("a.py", "three", "3")
    )
    assert [each.status for each in applied.outcomes] == [BlockStatus.APPLIED] * 3
    assert [(each.line, each.added, each.removed) for each in applied.outcomes] == [
        (2, 2, 1),
        (1, 1, 1),
        (4, 1, 1),
    ]
    assert (work.folder.root / "a.py").read_text() == "one\n2\n2b\n3\n"
    assert status(work.folder) == ["M  a.py", "M  b.py"]
    assert applied.modified == ["a.py", "b.py"]
    assert work.heard.paths == [["a.py", "b.py"]]


async def test_blocks_of_a_file_see_what_the_earlier_ones_left(work: Editing) -> None:
    applied = await work.apply(
        edit("a.py", "two", "deux"), edit("a.py", "two", "zwei"), edit("a.py", "deux", "due")
    )
    assert [each.status for each in applied.outcomes] == [
        BlockStatus.APPLIED,
        BlockStatus.FAILED,
        BlockStatus.APPLIED,
    ]
    assert (work.folder.root / "a.py").read_text() == "one\ndue\nthree\n"


async def test_c_newlines_bom_final_newline_and_mode_are_kept(work: Editing) -> None:
    place = work.folder.root / "win.txt"
    place.chmod(0o755)
    await work.apply(edit("win.txt", "one", "ONE\nmore"), edit("win.txt", "three", "THREE"))
    assert place.read_bytes() == b"\xef\xbb\xbfONE\r\nmore\r\ntwo\r\nTHREE"
    assert stat.S_IMODE(place.stat().st_mode) == 0o755


async def test_c_a_created_file_ends_each_line_with_lf_and_an_empty_one_is_empty(
    work: Editing,
) -> None:
    applied = await work.apply(edit("new/deep.py", "", "a\nb"), edit("void.txt"))
    assert (work.folder.root / "new/deep.py").read_bytes() == b"a\nb\n"
    assert (work.folder.root / "void.txt").read_bytes() == b""
    assert applied.created == ["new/deep.py", "void.txt"] == applied.modified
    assert all(each.is_create for each in applied.outcomes)
    assert status(work.folder) == ["A  new/deep.py", "A  void.txt"]


async def test_h_a_missing_file_is_file_not_found_selected_or_not(work: Editing) -> None:
    for selection in ([], ["gone.py"], None):
        outcome = await work.one(edit("gone.py", "a", "b"), selection=selection)
        assert (outcome.status, outcome.error_type) == (
            BlockStatus.FAILED,
            ErrorType.FILE_NOT_FOUND,
        )
        for block in (delete("gone.py"), rename("gone.py", "new.py")):
            outcome = await work.one(block, selection=selection)
            assert (outcome.status, outcome.error_type) == (
                BlockStatus.FAILED,
                ErrorType.FILE_NOT_FOUND,
            )


async def test_h_a_refused_path_is_refused_before_context(work: Editing) -> None:
    outcome = await work.one(edit("../a.py", "a", "b"), selection=[])
    assert (outcome.status, outcome.error_type) == (BlockStatus.SKIPPED, ErrorType.VALIDATION_ERROR)


HOSTILE = [
    "{root}/a.py",
    "{root}/new.py",
    "/etc/hosts",
    "~/../x.py/..",
    "../r/a.py",
    "docs/../a.py",
    "docs/../../r/a.py",
    "..",
    ".",
    "/",
    "./",
    ".git/config",
    ".git",
    ".GIT/config",
    ".Git/hooks/pre-commit",
    "sub/.git/config",
    "a/b/.gIt/x",
    "git~1/config",
    ".git./config",
    ".git /config",
    ".git::$INDEX_ALLOCATION/config",
    "C:/x.py",
    "C:\\x.py",
    "\\\\host\\x",
    "a\0.py",
    "a\udcff\ud800.py",
    "to_git/config",
    "to_git/new",
    "to_config",
    "out/new.py",
    "out/secret.txt",
    "out_file",
    "dangling",
    "dangling_folder/new.py",
    "loop",
    "loop/x.py",
    "docs",
    "docs/",
    "new/",
    "a.py/b.py",
    "pipe",
    "n" * 256,
    "n/" * 2100 + "x",
    ".jupyter_ac-0123456789abcdef.tmp",
]


@pytest.fixture
def hostile(folder: RepositoryFolder, tmp_path: Path) -> RepositoryFolder:
    root = folder.root
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_text("a\n")
    (root / "to_git").symlink_to(".git")
    (root / "to_config").symlink_to(".git/config")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "out_file").symlink_to(tmp_path / "outside/secret.txt")
    (root / "dangling").symlink_to("nowhere.py")
    (root / "dangling_folder").symlink_to("nowhere")
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    return folder


async def test_j_l_paths_are_refused_for_create_change_delete_and_rename(
    hostile: RepositoryFolder, tmp_path: Path
) -> None:
    async with editing(hostile) as work:
        before = state_of(hostile), (hostile.root / ".git/config").read_bytes()
        for given in HOSTILE:
            path = given.format(root=hostile.root)
            for block in (
                edit(path, "", "new"),
                edit(path, "a", "b"),
                delete(path),
                rename(path, "free.py"),
                rename("a.py", path),
            ):
                outcome = await work.one(block)
                got = outcome.status, outcome.error_type
                assert got == (BlockStatus.SKIPPED, ErrorType.VALIDATION_ERROR), (
                    path,
                    block,
                    outcome,
                )
                assert outcome.message.endswith("."), outcome.message
        assert (state_of(hostile), (hostile.root / ".git/config").read_bytes()) == before
        assert work.heard.paths == []
        assert [p.name for p in (tmp_path / "outside").iterdir()] == ["secret.txt"]
        assert (tmp_path / "outside/secret.txt").read_text() == "a\n"


async def test_i_a_block_without_a_path_fails_and_is_not_dropped(work: Editing) -> None:
    outcome = await work.one(edit("", "a", "b"))
    assert (outcome.status, outcome.error_type) == (BlockStatus.FAILED, ErrorType.VALIDATION_ERROR)


@pytest.mark.parametrize("path", ["my file.py", "a#b.py", "x[1]*.py", ":!top.py", "-n", "ü😀.py"])
async def test_i_a_path_is_taken_letter_for_letter(work: Editing, path: str) -> None:
    applied = await work.apply(edit(path, "", "a"), edit(path, "a", "b"))
    assert [each.status for each in applied.outcomes] == [BlockStatus.APPLIED] * 2
    assert work.folder.git("diff", "--cached", "--name-only", "-z") == path + "\0"
    assert (await work.undo()).files == [path]
    assert not (work.folder.root / path).exists()
    assert status(work.folder) == []


async def test_i_an_empty_existing_file_with_empty_old_text_is_written(work: Editing) -> None:
    outcome = await work.one(edit("empty.txt", "", "now"), selection=[])
    assert outcome.status is BlockStatus.APPLIED
    assert (work.folder.root / "empty.txt").read_text() == "now\n"


async def test_a_create_on_an_existing_file_is_already_applied_or_fails(work: Editing) -> None:
    same = await work.one(edit("a.py", "", "one\ntwo\nthree"), selection=[])
    assert same.status is BlockStatus.ALREADY_APPLIED
    other = await work.one(edit("a.py", "", "other"), selection=[])
    assert (other.status, other.error_type) == (BlockStatus.FAILED, ErrorType.VALIDATION_ERROR)
    assert status(work.folder) == []


async def test_i_an_ignored_created_file_is_written_not_staged_and_said(work: Editing) -> None:
    applied = await work.apply(edit("debug.log", "", "a"), edit("build/x.py", "", "b"))
    assert applied.ignored == ["debug.log", "build/x.py"]
    assert all("ignores" in each.notes[0] for each in applied.outcomes)
    assert status(work.folder) == []
    assert (work.folder.root / "build/x.py").read_text() == "b\n"
    await work.undo()
    assert not (work.folder.root / "build").exists()


async def test_k_only_what_a_block_changed_is_staged(work: Editing) -> None:
    work.folder.write("b.py", "x = 5\n")
    work.folder.write("a.pyc", "untracked\n")
    work.folder.write("docs/*.md", "untracked\n")
    await work.apply(edit("a.py", "two", "2"), edit("docs/*.md", "untracked", "u"))
    assert status(work.folder) == ["M  a.py", " M b.py", "A  docs/*.md", "?? a.pyc"]


async def test_k_unstaged_changes_in_the_edited_file_are_said_before_and_after(
    work: Editing,
) -> None:
    work.folder.write("a.py", "one\ntwo\nthree\nmine\n")
    (looked,) = await work.applier.look([edit("a.py", "two", "2")], apply_options(None))
    assert "unstaged" in looked.notes[0]
    applied = await work.apply(edit("a.py", "two", "2"), edit("a.py", "one", "1"))
    assert ["unstaged" in " ".join(each.notes) for each in applied.outcomes] == [True, False]
    assert (await work.one(edit("a.py", "three", "3"))).notes == ()


async def test_k_line_ends_that_git_translates_are_no_unstaged_change(work: Editing) -> None:
    work.folder.git("config", "core.autocrlf", "true")
    work.folder.write(".gitattributes", "*.txt text eol=crlf\n")
    work.folder.write("crlf.txt", b"a\r\nb\r\n")
    work.folder.commit()
    before = state_of(work.folder)
    assert (await work.one(edit("crlf.txt", "a", "A"))).notes == ()
    assert status(work.folder) == ["M  crlf.txt"]
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before


async def test_m_a_file_with_unsaved_changes_waits(work: Editing) -> None:
    applied = await work.apply(
        edit("a.py", "two", "2"), edit("b.py", "x = 1", "x = 2"), unsaved=["a.py"]
    )
    assert [each.status for each in applied.outcomes] == [BlockStatus.PENDING, BlockStatus.APPLIED]
    assert "unsaved" in applied.outcomes[0].message
    assert status(work.folder) == ["M  b.py"]


async def test_files_that_are_not_in_context_are_named_and_left_alone(work: Editing) -> None:
    applied = await work.apply(
        edit("a.py", "two", "2"),
        edit("b.py", "x = 1", "x = 2"),
        delete("docs/c.md"),
        edit("b.py", "x = 1", "x = 3"),
        edit("new.py", "", "n"),
        edit("new.py", "n", "m"),
        selection=["a.py"],
    )
    assert [each.status for each in applied.outcomes] == [
        BlockStatus.APPLIED,
        BlockStatus.NOT_IN_CONTEXT,
        BlockStatus.NOT_IN_CONTEXT,
        BlockStatus.NOT_IN_CONTEXT,
        BlockStatus.APPLIED,
        BlockStatus.APPLIED,
    ]
    assert (work.folder.root / "new.py").read_text() == "m\n"


@pytest.mark.parametrize("data", [b"a\0b\n", b"caf\xe9\n"])
async def test_a_binary_file_is_skipped(work: Editing, data: bytes) -> None:
    work.folder.write("data.bin", data)
    outcome = await work.one(edit("data.bin", "a", "b"), selection=[])
    assert (outcome.status, outcome.error_type) == (BlockStatus.SKIPPED, ErrorType.VALIDATION_ERROR)
    assert "binary" in outcome.message


async def test_a_file_longer_than_the_limit_is_skipped(work: Editing) -> None:
    work.folder.write("long.txt", "a\n" * 600)
    for block in (
        edit("long.txt", "b", "c"),
        edit("b.py", "x = 1", "y\n" * 600),
        delete("long.txt"),
    ):
        applied = await work.apply(block, limit=1000)
        assert applied.outcomes[0].status is BlockStatus.SKIPPED
        assert "1,000 bytes" in applied.outcomes[0].message


async def test_a_link_inside_the_repository_is_written_through(work: Editing) -> None:
    (work.folder.root / "link.py").symlink_to("a.py")
    (work.folder.root / "folder").symlink_to("docs")
    work.folder.commit()
    applied = await work.apply(
        edit("link.py", "two", "2"), edit("a.py", "three", "3"), edit("folder/n.md", "", "n")
    )
    assert [each.status for each in applied.outcomes] == [BlockStatus.APPLIED] * 3
    assert (work.folder.root / "link.py").is_symlink()
    assert (work.folder.root / "a.py").read_text() == "one\n2\n3\n"
    assert status(work.folder) == ["M  a.py", "A  docs/n.md"]
    assert "a.py" in applied.outcomes[0].notes[0]


async def test_a_file_of_a_nested_repository_or_submodule_is_refused(work: Editing) -> None:
    inner = make_repository(work.folder.root / "inner", {"x.py": "x\n"})
    work.folder.git(
        "update-index", "--add", "--cacheinfo", f"160000,{inner.git('rev-parse', 'HEAD')},absent"
    )
    (work.folder.root / "absent").mkdir()
    for block in (
        edit("inner/x.py", "x", "y"),
        edit("inner/n.py", "", "y"),
        delete("inner/x.py"),
        rename("a.py", "inner/a.py"),
        edit("absent/n.py", "", "y"),
        edit("absent/deep/n.py", "", "y"),
        edit("absent", "", "y"),
    ):
        outcome = await work.one(block)
        assert outcome.status is BlockStatus.SKIPPED, (block, outcome)
    assert not any((work.folder.root / "absent").iterdir())


async def test_a_file_is_deleted_and_its_removal_staged(work: Editing) -> None:
    applied = await work.apply(delete("docs/c.md"))
    assert applied.deleted == ["docs/c.md"] == applied.modified
    assert applied.outcomes[0].removed == 3
    assert status(work.folder) == ["D  docs/c.md"]
    assert not (work.folder.root / "docs").exists()


async def test_a_rename_is_followed_by_the_index_as_git_mv_does(work: Editing) -> None:
    work.folder.write("a.py", "one\ntwo\nthree\nmine\n")
    applied = await work.apply(rename("a.py", "lib/z.py"))
    assert applied.renamed == [("a.py", "lib/z.py")]
    assert applied.modified == ["a.py", "lib/z.py"]
    assert (applied.created, applied.deleted) == ([], [])
    assert status(work.folder) == ["RM a.py -> lib/z.py"]
    assert (await work.undo()).reason == ""
    assert status(work.folder) == [" M a.py"]
    assert not (work.folder.root / "lib").exists()


async def test_an_untracked_file_is_only_renamed(work: Editing) -> None:
    work.folder.write("u.py", "u\n")
    await work.apply(rename("u.py", "v.py"))
    assert status(work.folder) == ["?? v.py"]


async def test_i_a_created_and_renamed_file_is_created_and_staged_unless_its_last_name_is_ignored(
    work: Editing,
) -> None:
    result = await work.apply(
        *(edit("n.txt", "", "n"), rename("n.txt", "n.log")),
        *(edit("x.log", "", "x"), rename("x.log", "y.txt")),
    )
    assert (result.created, result.renamed) == (["n.log", "y.txt"], [])
    assert (result.ignored, status(work.folder)) == (["n.log"], ["A  y.txt"])
    assert [bool(each.notes) for each in result.outcomes] == [False, True, False, False]


async def test_a_rename_onto_something_fails(work: Editing) -> None:
    outcome = await work.one(rename("a.py", "b.py"))
    assert (outcome.status, outcome.error_type) == (BlockStatus.FAILED, ErrorType.VALIDATION_ERROR)
    assert (await work.one(rename("a.py", "a.py"))).status is BlockStatus.FAILED


async def test_a_renamed_file_can_be_edited_under_its_new_name_and_the_old_one_made_anew(
    work: Editing,
) -> None:
    before = state_of(work.folder)
    applied = await work.apply(
        edit("a.py", "one", "1"),
        rename("a.py", "z.py"),
        edit("z.py", "two", "2"),
        edit("a.py", "", "fresh"),
        rename("z.py", "y.py"),
        delete("b.py"),
        edit("b.py", "", "again"),
        selection=["a.py", "b.py"],
    )
    assert [each.status for each in applied.outcomes] == [BlockStatus.APPLIED] * 7
    assert (work.folder.root / "y.py").read_text() == "1\n2\nthree\n"
    assert (work.folder.root / "a.py").read_text() == "fresh\n"
    assert not (work.folder.root / "z.py").exists()
    assert work.folder.git("diff") == ""
    assert work.folder.git("status", "--porcelain", "--no-renames").splitlines() == [
        "M  a.py",
        "M  b.py",
        "A  y.py",
    ]
    assert applied.renamed == [("a.py", "y.py")]
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before


async def test_a_file_in_conflict_is_written_and_not_staged(work: Editing) -> None:
    blob = work.folder.git("rev-parse", "HEAD:a.py")
    rows = "".join(f"100644 {blob} {stage}\ta.py\n" for stage in (1, 2, 3))
    _index_info(work.folder, "0 " + "0" * 40 + "\ta.py\n" + rows)
    before = state_of(work.folder)
    outcome = await work.one(edit("a.py", "two", "2"))
    assert outcome.status is BlockStatus.APPLIED
    assert "conflict" in outcome.notes[0]
    assert status(work.folder) == ["UU a.py"]
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before
    assert (await work.one(rename("a.py", "z.py"))).status is BlockStatus.FAILED


def _index_info(folder: RepositoryFolder, rows: str) -> None:
    subprocess.run(
        ["git", "update-index", "--index-info"], cwd=folder.root, input=rows.encode(), check=True
    )


async def test_a_file_that_git_was_told_to_overlook_is_not_staged(work: Editing) -> None:
    work.folder.git("update-index", "--assume-unchanged", "a.py")
    work.folder.git("update-index", "--skip-worktree", "b.py")
    before = state_of(work.folder)
    applied = await work.apply(edit("a.py", "two", "2"), edit("b.py", "x = 1", "x = 2"))
    assert all("overlook" in each.notes[0] for each in applied.outcomes)
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before


async def test_an_edit_stands_when_the_index_is_locked_and_that_is_said(work: Editing) -> None:
    lock = work.folder.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    applied = await work.apply(edit("a.py", "two", "2"))
    assert applied.outcomes[0].status is BlockStatus.APPLIED
    assert "not staged" in applied.outcomes[0].notes[0]
    assert lock.exists()
    assert work.heard.paths == [["a.py"]]
    lock.unlink()
    assert (await work.undo()).reason == ""
    assert status(work.folder) == []


async def test_one_file_that_git_does_not_take_keeps_no_other_from_being_staged(
    work: Editing,
) -> None:
    work.folder.git("config", "filter.bad.clean", "false")
    work.folder.git("config", "filter.bad.required", "true")
    work.folder.write(".git/info/attributes", "b.py filter=bad\n")
    applied = await work.apply(edit("a.py", "two", "2"), edit("b.py", "x = 1", "x = 2"))
    assert [each.status for each in applied.outcomes] == [BlockStatus.APPLIED] * 2
    assert "not staged" in applied.outcomes[1].notes[-1]
    assert not any("not staged" in note for note in applied.outcomes[0].notes)
    assert work.folder.git("diff", "--cached", "--name-only") == "a.py"


async def test_eight_batches_on_one_file_at_once_lose_nothing(folder: RepositoryFolder) -> None:
    folder.write("many.txt", "".join(f"line {n}\n" for n in range(8)))
    folder.commit()
    async with editing(folder) as here, editing(folder) as there:
        await asyncio.gather(
            *(
                [here, there][n % 2].apply(
                    edit("many.txt", f"line {n}", f"LINE {n}"), batch=f"turn {n}"
                )
                for n in range(8)
            )
        )
    assert (folder.root / "many.txt").read_text() == "".join(f"LINE {n}\n" for n in range(8))
    assert status(folder) == ["M  many.txt"]


async def test_what_an_editor_writes_in_between_is_read_and_matched_again(
    work: Editing, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = work.folder.root / "a.py"
    keep = work.images.keep
    texts = ["zero\none\ntwo\nthree\n"]

    async def keep_slowly(
        batch: str, files: Sequence[Fresh], changes: Sequence[Change] = ()
    ) -> tuple[set[RepoPath], int]:
        if texts:
            place.write_text(texts.pop())
        return await keep(batch, files, changes)

    monkeypatch.setattr(work.images, "keep", keep_slowly)
    applied = await work.apply(edit("a.py", "two", "2"), edit("b.py", "x = 1", "x = 2"))
    assert [each.status for each in applied.outcomes] == [BlockStatus.APPLIED] * 2
    assert place.read_text() == "zero\none\n2\nthree\n"
    assert (await work.undo()).reason == ""
    assert place.read_text() == "zero\none\ntwo\nthree\n"
    texts += ["a\ntwo\n", "b\ntwo\n"]
    outcome = await work.one(edit("a.py", "two", "2"), batch="next")
    assert (outcome.status, outcome.error_type) == (BlockStatus.FAILED, ErrorType.WRITE_ERROR)
    assert place.read_text() == "a\ntwo\n"
    assert "changed" in outcome.message


async def test_look_gives_what_apply_would_give_and_changes_nothing(work: Editing) -> None:
    before = state_of(work.folder)
    blocks = [
        edit("a.py", "two", "2"),
        edit("a.py", "2", "zwei"),
        edit("new.log", "", "n"),
        edit("gone.py", "x", "y"),
        rename("b.py", "y.py"),
        edit("/x", "", "y"),
    ]
    looked = await work.applier.look(blocks, apply_options(None))
    assert state_of(work.folder) == before
    assert work.heard.paths == []
    applied = await work.applier.apply(blocks, apply_options(None), "turn")
    expected = [
        replace(each, status=BlockStatus.PENDING) if each.status is BlockStatus.APPLIED else each
        for each in applied.outcomes
    ]
    assert looked == expected


async def test_nothing_is_written_when_its_before_image_can_not_be_kept(
    work: Editing, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> set[RepoPath]:
        raise AcError("The disk is full.")

    monkeypatch.setattr(work.images, "keep", full)
    applied = await work.apply(edit("a.py", "two", "2"), edit("gone.py", "x", "y"))
    assert [each.error_type for each in applied.outcomes] == [
        ErrorType.WRITE_ERROR,
        ErrorType.FILE_NOT_FOUND,
    ]
    assert applied.outcomes[0].message == "The disk is full."
    assert status(work.folder) == []
    assert not work.heard.paths


async def test_a_file_that_another_process_keeps_locked_fails_as_a_write(
    folder: RepositoryFolder,
) -> None:
    work, database = editing_of(folder, wait_s=0.05)
    locks = folder.root / ".git/jupyter_ac"
    async with AsyncExitStack() as stack:
        for name in ALL_FILES:
            await stack.enter_async_context(hold(locks, name))
        outcome = await work.one(edit("a.py", "two", "2"))
        await work.apply()
    assert (outcome.status, outcome.error_type) == (BlockStatus.FAILED, ErrorType.WRITE_ERROR)
    assert "'a.py'" in outcome.message
    await database.aclose()


async def test_an_apply_that_is_cancelled_goes_on_to_its_end(
    work: Editing, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep, begun = work.images.keep, asyncio.Event()

    async def keep_and_tell(
        batch: str, files: Sequence[Fresh], changes: Sequence[Change] = ()
    ) -> tuple[set[RepoPath], int]:
        begun.set()
        return await keep(batch, files, changes)

    monkeypatch.setattr(work.images, "keep", keep_and_tell)
    applying = asyncio.ensure_future(work.apply(edit("a.py", "two", "2"), edit("n.py", "", "n")))
    await begun.wait()
    applying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await applying
    assert status(work.folder) == ["M  a.py", "A  n.py"]
    assert work.heard.paths == [["a.py", "n.py"]]
    assert (await work.undo()).reason == ""


async def test_an_index_that_git_can_not_read_fails_the_blocks_and_changes_nothing(
    work: Editing,
) -> None:
    (work.folder.root / ".git/index").write_bytes(b"damaged")
    for outcome in (
        await work.one(edit("a.py", "two", "2")),
        (await work.applier.look([edit("a.py", "two", "2")], apply_options(None)))[0],
    ):
        assert (outcome.status, outcome.error_type) == (BlockStatus.FAILED, ErrorType.WRITE_ERROR)
    assert (work.folder.root / "a.py").read_text() == "one\ntwo\nthree\n"
