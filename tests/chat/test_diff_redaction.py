"""What of a commit's diff is sent to a model."""

from pathlib import Path

import pytest

from jupyter_ac.chat.diff_redaction import (
    file_diffs,
    redacted,
    warnings_of,
    without_excluded,
)
from jupyter_ac.git.diffs import staged_diff
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import RepoPath
from tests.chat.test_commit_message import diff_of
from tests.support.repositories import make_repository

PLANTED = "planted-text"
KEY = "sk-proj-" + "a1b2" * 6

ODD_NAMES = [
    "dir b/.env",
    ".env b/x.txt",
    "new\nline.pem",
    'quo"te.key',
    "tab\t/id_rsa",
    "ünï/.env",
    "back\\slash.pem",
]


def test_a_diff_is_cut_into_those_of_its_files() -> None:
    parts = [diff_of("a.py", 1), diff_of("b c.py", 2, "diff --git is text here")]
    assert file_diffs("".join(parts)) == parts
    assert file_diffs("no diff at all") == ["no diff at all"]


def test_what_holds_no_secret_and_was_tracked_stays() -> None:
    diff = diff_of("a.py", 3) + diff_of("b c.py", 2)
    assert redacted(diff, {"c.py", "a"}) == diff
    assert redacted("plain words", {"a.py"}) == "plain words"


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_only_the_name_is_sent_of_what_looks_like_a_secret_by_any_name(
    tmp_path: Path, name: str
) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "a\n"})
    folder.write("a.txt", "shown\n")
    folder.write(name, f"{PLANTED}\n")
    folder.git("add", "-A")
    sent = redacted(await staged_diff(await discover(folder.root)))
    assert PLANTED not in sent
    assert "[content left out: looks like a secret]" in sent
    assert "+shown" in sent


async def test_a_secret_that_is_renamed_or_deleted_is_left_out(tmp_path: Path) -> None:
    text = "".join(f"{PLANTED} {n}\n" for n in range(30))
    folder = make_repository(tmp_path / "r", {".env": text, "old.pem": text.upper()})
    folder.git("mv", ".env", "notes.md")
    folder.write("notes.md", text + f"{PLANTED} more\n")
    folder.git("rm", "--quiet", "old.pem")
    folder.git("add", "-A")
    sent = redacted(await staged_diff(await discover(folder.root)))
    assert PLANTED not in sent.lower()
    assert "rename to notes.md" in sent
    assert "deleted file mode 100644" in sent


def test_only_the_name_is_sent_of_what_contains_a_secret() -> None:
    for text in (diff_of("a.py", 1, f"key = {KEY}"), f"words\n{KEY}\n"):
        assert warnings_of(text)
        sent = redacted(text + diff_of("b.py", 1))
        assert KEY not in sent
        assert diff_of("b.py", 1) in sent


async def test_only_the_name_is_sent_of_what_was_not_tracked(tmp_path: Path) -> None:
    text = "".join(f"line {n}\n" for n in range(30))
    folder = make_repository(tmp_path / "r", {"gone.txt": text, "a.txt": "a\n"})
    (folder.root / "gone.txt").unlink()
    names = {"new.txt", "ü b/n.txt", "moved.txt"}
    for name in names:
        folder.write(name, f"{PLANTED} {name}\n")
    folder.write("moved.txt", f"{text}{PLANTED}\n")  # git takes it for the one that is gone
    folder.write("a.txt", "shown\n")
    folder.git("add", "-A")
    sent = redacted(await staged_diff(await discover(folder.root)), names)
    assert PLANTED not in sent
    assert sent.count("[content left out: git did not track it before]") == len(names)
    assert "+shown" in sent


@pytest.mark.parametrize("name", [*ODD_NAMES, "vault/a b.py"])
async def test_nothing_is_left_of_an_excluded_file_by_either_name(
    tmp_path: Path, name: str
) -> None:
    folder = make_repository(tmp_path / "r", {name: f"{PLANTED}\n" * 20, "plain.py": "1\n"})
    excluded = ExcludedPaths((RepoPath(name),))
    folder.write(name, f"{PLANTED}\n" * 20 + "more\n")
    folder.write("plain.py", "2\n")
    folder.git("add", "--all")
    repository = await discover(folder.root)
    left = without_excluded(await staged_diff(repository), excluded)
    assert (PLANTED in left, "plain.py" in left, len(file_diffs(left))) == (False, True, 1)
    folder.git("mv", name, "elsewhere.py")
    left = without_excluded(await staged_diff(repository), excluded)
    assert (PLANTED in left, "elsewhere" in left) == (False, False)
    assert without_excluded(left, NONE_EXCLUDED) == left
