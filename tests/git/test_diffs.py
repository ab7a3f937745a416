from pathlib import Path

import pytest

from jupyter_ac.errors import GitError, NotFound, TooLarge
from jupyter_ac.git import diffs
from jupyter_ac.git.diffs import diff_to, staged_diff, staged_outline, unstaged_diff
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


async def test_what_is_too_long_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("a", "2\n" * 5000)
    monkeypatch.setattr(diffs, "MAX_DIFF_BYTES", 4096)
    with pytest.raises(TooLarge, match="diff is longer"):
        await unstaged_diff(await discover(folder.root))


async def test_an_outline_only_names_the_files_that_are_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "large": ""})
    repository = await discover(folder.root)
    folder.write("a", "2\n" * 400)
    folder.write("large", "3\n" * (1 << 20))
    folder.git("add", ".")
    monkeypatch.setattr(diffs, "MAX_DIFF_BYTES", 4096)
    with pytest.raises(TooLarge):
        await staged_diff(repository)
    outline = await staged_outline(repository)
    assert "+2\n" in outline
    assert "Binary files a/large and b/large differ" in outline
    monkeypatch.setattr(diffs, "MAX_DIFF_BYTES", 1024)
    folder.write("a", "2\n" * 800)
    folder.git("add", ".")
    outline = await staged_outline(repository)
    assert "+2\n" not in outline
    assert "Binary files a/a and b/a differ" in outline
    monkeypatch.setattr(diffs, "MAX_DIFF_BYTES", 64)
    with pytest.raises(TooLarge):
        await staged_outline(repository)


async def test_unknown_refs_and_damage_are_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    with pytest.raises(NotFound):
        await diff_to(repository, "nowhere")
    folder.write(".git/index", b"damaged")
    with pytest.raises(GitError, match="compare"):
        await staged_diff(repository)
