"""Which files the program itself may add to what is sent."""

from pathlib import Path

import pytest

from jupyter_ac.chat.auto_selection import (
    IGNORED,
    OF_JUPYTER,
    OVERLOOKED,
    UNTRACKED,
    AutoSelectionRule,
    Grounds,
)
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import RepoPath
from tests.support.exclusions import none_excluded
from tests.support.jupyter_files import with_setting
from tests.support.repositories import RepositoryFolder, make_repository

KEY = "key = 'sk-proj-" + "a1b2" * 6 + "'\n"
FILES: dict[str, str | bytes] = {
    ".gitignore": "secrets/\n*.log\nforced.txt\n",
    "plain.py": "x = 1\n",
    "keys.py": KEY,
    "id_rsa": "not even a key\n",
    "local.cfg": "x\n",
    "logo.png": b"\x89PNG\0\0",
    "docs/a.md": "A\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "repo", FILES)
    made.write("secrets/prod.json", "{}\n")
    made.write("run.log", "x\n")
    made.write("new.py", "x = 2\n")
    made.write("promised.py", "x = 3\n")
    made.git("add", "--intent-to-add", "promised.py")
    made.write("forced.txt", "x\n")
    made.git("add", "--force", "forced.txt")
    made.git("update-index", "--skip-worktree", "local.cfg")
    for link, target in {
        "to_plain": "plain.py",
        "to_secret": "secrets/prod.json",
        "to_new": "new.py",
        "to_key": "id_rsa",
        "vault": "secrets",
        "inner": "docs",
    }.items():
        (made.root / link).symlink_to(target)
        made.git("add", link)
    (made.root / "loose").symlink_to("plain.py")
    return made


async def reasons(folder: RepositoryFolder, grounds: Grounds, *paths: str) -> dict[str, str]:
    rule = AutoSelectionRule(await discover(folder.root), none_excluded)
    verdicts = await rule.judge(paths, grounds)
    return {path: verdict.reason for path, verdict in verdicts.items()}


async def test_what_an_answer_edits_must_be_tracked_and_no_secret(
    folder: RepositoryFolder,
) -> None:
    wanted = {
        "plain.py": "",
        "./docs//a.md": "",
        "inner/a.md": "",
        "to_plain": "",
        "forced.txt": "",  # what is tracked isn't ignored
        "secrets/prod.json": IGNORED,
        "run.log": IGNORED,
        "to_secret": IGNORED,
        "vault/prod.json": IGNORED,
        "new.py": UNTRACKED,
        "promised.py": UNTRACKED,
        "to_new": UNTRACKED,
        "loose": UNTRACKED,
        "local.cfg": OVERLOOKED,
    }
    assert await reasons(folder, Grounds.EDITED, *wanted) == wanted


@pytest.mark.parametrize("grounds", list(Grounds))
async def test_a_name_that_the_warnings_name_is_never_added(
    folder: RepositoryFolder, grounds: Grounds
) -> None:
    paths = ("id_rsa", "to_key", ".env", "a/.ENV.local")
    found = await reasons(folder, grounds, *paths)
    assert all(reason.startswith("it looks like a secret (") for reason in found.values())
    assert len(found) == len(paths)


async def test_a_text_that_the_warnings_name_is_added_only_when_the_answer_wrote_it(
    folder: RepositoryFolder,
) -> None:
    for grounds in (Grounds.EDITED, Grounds.TICKED):
        (reason,) = (await reasons(folder, grounds, "keys.py")).values()
        assert reason == "it looks like a secret (it seems to contain a language model's API key)"
    assert await reasons(folder, Grounds.CREATED, "keys.py") == {"keys.py": ""}


async def test_what_was_ticked_need_not_be_tracked(folder: RepositoryFolder) -> None:
    wanted = {"new.py": "", "run.log": IGNORED, "to_secret": IGNORED}
    assert await reasons(folder, Grounds.TICKED, *wanted) == wanted


async def test_a_refusal_does_not_tell_whether_there_is_a_file(folder: RepositoryFolder) -> None:
    there = await reasons(folder, Grounds.EDITED, "secrets/prod.json", "id_rsa")
    absent = await reasons(folder, Grounds.EDITED, "secrets/none.json", "old/id_rsa")
    assert list(there.values()) == list(absent.values())
    assert await reasons(folder, Grounds.EDITED, "none.py") == {"none.py": ""}


async def test_what_is_no_file_of_the_repository_or_no_text_is_refused(
    folder: RepositoryFolder,
) -> None:
    found = await reasons(folder, Grounds.EDITED, "../x", ".git/config", "logo.png")
    assert found["../x"] == found[".git/config"] == "it is no file of the repository"
    assert "binary" in found["logo.png"]


async def test_a_path_of_which_git_cant_tell_closes_no_other(folder: RepositoryFolder) -> None:
    folder.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},absent")
    for grounds in (Grounds.EDITED, Grounds.TICKED):
        found = await reasons(folder, grounds, "plain.py", "absent/x.py", "docs/a.md", "run.log")
        assert "in submodule 'absent'" in found.pop("absent/x.py")
        assert found == {"plain.py": "", "docs/a.md": "", "run.log": IGNORED}


async def test_nothing_is_allowed_when_git_fails(folder: RepositoryFolder) -> None:
    (folder.root / ".git/index").write_bytes(b"broken")
    found = await reasons(folder, Grounds.CREATED, "plain.py")
    assert found["plain.py"]


async def test_identities_follow_links(folder: RepositoryFolder) -> None:
    rule = AutoSelectionRule(await discover(folder.root), none_excluded)
    found = await rule.identities([RepoPath("inner/a.md"), RepoPath("../x")])
    (one,) = found.values()
    assert (one.path, one.entry, one.real) == ("inner/a.md", "docs/a.md", "docs/a.md")
    assert one.is_file


async def test_what_jupyter_writes_is_added_when_tracked_or_wanted(
    folder: RepositoryFolder,
) -> None:
    path, tracked = ".ipynb_checkpoints/new.py", ".ipynb_checkpoints/kept.py"
    folder.write(path, "x = 1\n")
    folder.write(tracked, "x = 1\n")
    folder.git("add", tracked)
    repository, wish = await with_setting(folder)
    rule = AutoSelectionRule(repository, none_excluded)

    async def reason(path: str, grounds: Grounds = Grounds.CREATED) -> str:
        return (await rule.judge([path], grounds))[path].reason

    assert await reason(path) == await reason(path, Grounds.TICKED) == OF_JUPYTER
    assert await reason(".~absent.ipynb") == OF_JUPYTER
    assert await reason(tracked) == await reason(tracked, Grounds.EDITED) == ""
    wish.is_shown = True
    assert await reason(path) == ""


async def test_a_name_that_is_too_long_for_a_file_is_no_file(folder: RepositoryFolder) -> None:
    rule = AutoSelectionRule(await discover(folder.root), none_excluded)
    verdict = (await rule.judge(["x" * 400], Grounds.CREATED))["x" * 400]
    assert not verdict.is_file
