import os
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError, NotFound, TooLarge
from jupyter_ac.git import diffs
from jupyter_ac.git.diffs import diff_between, diff_to, staged_diff, unstaged_diff
from jupyter_ac.git.repository import discover
from tests.support.repositories import make_repository


async def test_staged_and_unstaged_changes_are_told_apart(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("a", "2\n")
    folder.git("add", "a")
    folder.write("a", "3\n")
    repository = await discover(folder.root)
    assert "-1\n+2\n" in await staged_diff(repository)
    assert "-2\n+3\n" in await unstaged_diff(repository)
    assert "-1\n+3\n" in await diff_to(repository, "main")


async def test_without_changes_a_diff_is_empty(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a": "1\n"}).root)
    assert await staged_diff(repository) == await unstaged_diff(repository) == ""


async def test_before_the_first_commit_all_that_is_staged_is_new(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.write("a", "1\n")
    folder.git("add", "a")
    repository = await discover(folder.root)
    assert "new file mode" in await staged_diff(repository)
    assert await unstaged_diff(repository) == ""


@pytest.mark.parametrize(
    "setting",
    [
        "diff.noprefix=true",
        "diff.mnemonicPrefix=true",
        "diff.context=0",
        "diff.external=touch stolen",
        "color.diff=always",
        "core.quotePath=true",
        "diff.relative=true",
        "diff.renames=false",
        "diff.interHunkContext=30",
        "diff.wordRegex=.",
        "diff.algorithm=histogram",
    ],
)
async def test_the_form_is_the_same_whatever_is_configured(tmp_path: Path, setting: str) -> None:
    folder = make_repository(tmp_path / "r", {"häst": "1\n2\n3\n"})
    folder.write("häst", "1\n2\nthree\n")
    folder.git("config", *setting.split("=", 1))
    assert await unstaged_diff(await discover(folder.root)) == (
        "diff --git a/häst b/häst\nindex 01e79c3..6b1f642 100644\n--- a/häst\n+++ b/häst\n"
        "@@ -1,3 +1,3 @@\n 1\n 2\n-3\n+three\n"
    )
    assert not (folder.root / "stolen").exists()


async def test_an_empty_line_beside_a_change_keeps_its_mark(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "\n1\n"})
    folder.write("a", "\n2\n")
    folder.git("config", "diff.suppressBlankEmpty", "true")
    assert "\n \n-1\n+2\n" in await unstaged_diff(await discover(folder.root))


async def test_no_ref_is_taken_for_an_option(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    for ref in ("--output=stolen", "-Ostolen", "--no-index", "--ext-diff", "HEAD..HEAD"):
        with pytest.raises(NotFound):
            await diff_to(repository, ref)
    assert [place.name for place in folder.root.iterdir() if place.name != ".git"] == ["a"]
    folder.git("update-ref", "refs/heads/--output=stolen", "HEAD")
    assert await diff_to(repository, "--output=stolen") == ""


async def test_filters_of_the_repository_itself_do_not_run(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", ".gitattributes": "a filter=evil\n"})
    folder.git("config", "filter.evil.clean", "touch stolen; cat")
    folder.write("a", "2\n")
    assert "+2\n" in await unstaged_diff(await discover(folder.root))
    assert not (folder.root / "stolen").exists()


async def test_bytes_that_are_no_text_are_shown_as_replacements(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": b"caf\xe9\n", "b.bin": b"\0\1"})
    folder.write("a", b"th\xe9\n")
    folder.write("b.bin", b"\0\2")
    diff = await unstaged_diff(await discover(folder.root))
    assert "-caf�\n+th�\n" in diff
    assert "Binary files a/b.bin and b/b.bin differ" in diff


async def test_line_ends_are_kept(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\r\n"})
    folder.write("a", "2\r\n")
    assert "-1\r\n+2\r\n" in await unstaged_diff(await discover(folder.root))


async def test_where_the_whole_is_too_long_the_large_files_are_only_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "large": "", 'odd "name': ""})
    repository = await discover(folder.root)
    folder.write("a", "2\n" * 400)
    for name in ("large", 'odd "name'):
        folder.write(name, "3\n" * (1 << 20))
    monkeypatch.setattr(diffs, "MAX_DIFF_BYTES", 4096)
    row = "diff --git a/large b/large\nToo large to show.\n"
    rows = f'{row}diff --git "a/odd \\"name" "b/odd \\"name"\nToo large to show.\n'
    for diff in (unstaged_diff, staged_diff):
        shown = await diff(repository)
        assert "+2\n" in shown
        assert shown.endswith(rows)
        folder.git("add", ".")
    assert rows in await diff_to(repository, "main")
    assert await diff_between(repository, ("--cached",), "large") == row


async def test_where_nothing_fits_all_files_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "gone": "", "d/b": "1\n"})
    repository = await discover(folder.root)
    folder.write("a", "2\n" * 5000)
    folder.write("d/b", "2\n")
    (folder.root / "gone").unlink()
    monkeypatch.setattr(diffs, "MAX_DIFF_BYTES", 4096)
    shown = await unstaged_diff(repository)
    assert shown.split("\n")[::2] == [
        "diff --git a/a b/a",
        "diff --git a/d/b b/d/b",
        "diff --git a/gone b/gone",
        "",
    ]
    monkeypatch.setattr(diffs, "MAX_DIFF_BYTES", 32)
    with pytest.raises(TooLarge, match="diff is longer"):
        await unstaged_diff(repository)


async def test_files_beyond_what_is_shown_are_named_and_binary_ones_are_not_taken_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = "1\n" * 400
    folder = make_repository(
        tmp_path / "r", {"a": "1\n", "b and b": large, "c": large, "gone": large, "bin": b"\0\1"}
    )
    repository = await discover(folder.root)
    monkeypatch.setattr(diffs, "MAX_SHOWN_FILE_BYTES", 512)
    folder.write("a", "2\n")
    folder.write("b and b", f"{large}more\n")
    folder.write("c", "less\n")
    folder.write("bin", b"\0\2")
    (folder.root / "gone").unlink()
    unstaged = await unstaged_diff(repository)
    folder.git("add", "-A")
    assert unstaged == await staged_diff(repository)
    parts = {part.split("\n")[0]: part for part in unstaged.split("diff --git ")[1:]}
    assert "+2\n" in parts["a/a b/a"]
    for name in ("b and b", "c", "gone"):
        assert parts[f"a/{name} b/{name}"].endswith("\nToo large to show.\n")
    assert parts["a/bin b/bin"].endswith("\nBinary files a/bin and b/bin differ\n")


async def test_what_takes_too_long_is_shown_without_the_largest_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "hole": "1\n"})
    folder.write("a", "2\n")
    os.truncate(folder.root / "hole", 1 << 40)
    monkeypatch.setattr(diffs, "_FIRST_S", 0.5)
    shown = await unstaged_diff(await discover(folder.root))
    assert "-1\n+2\n" in shown
    assert shown.endswith("diff --git a/hole b/hole\nToo large to show.\n")


async def test_a_file_that_git_cant_hold_keeps_no_other_from_being_shown(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", dict.fromkeys(("a", "b", "c", "d/e"), "1\n"))
    for name in ("a", "c"):
        (folder.root / name).unlink()
        os.mkfifo(folder.root / name)
    folder.write("b", "2\n")
    folder.write("d/e", "2\n")
    repository = await discover(folder.root)
    for shown in (await unstaged_diff(repository), await diff_to(repository, "main")):
        assert shown.count("-1\n+2\n") == 2
        reason = "Not shown: a pipe, a socket or a device is in its place.\n"
        assert shown.endswith(f"diff --git a/a b/a\n{reason}diff --git a/c b/c\n{reason}")
    assert await staged_diff(repository) == ""


async def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read every file")
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    folder.write("a", "22\n").chmod(0)
    folder.write("b", "2\n")
    shown = await unstaged_diff(await discover(folder.root))
    assert "-1\n+2\n" in shown
    reason = "Not shown: the file may not be read; change its permissions.\n"
    assert shown.endswith(f"diff --git a/a b/a\n{reason}")


async def test_unknown_refs_and_damage_are_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    with pytest.raises(NotFound):
        await diff_to(repository, "nowhere")
    folder.write(".git/index", b"damaged")
    with pytest.raises(GitError, match="compare"):
        await staged_diff(repository)
