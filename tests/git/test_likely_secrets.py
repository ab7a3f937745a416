from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git import likely_secrets
from jupyter_ac.git.commit_candidates import Blob
from jupyter_ac.git.likely_secrets import (
    MOST_READ_BYTES,
    has_secret_name,
    secret_warnings,
    secrets_in_blobs,
    secrets_on_disk,
)
from jupyter_ac.git.repository import discover
from jupyter_ac.git.write_commands import Git
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "deploy/.env.production",
        "prod.env",
        "server.pem",
        "keys/id_ed25519",
        ".netrc",
        "a.KEY",
    ],
)
def test_a_name_that_promises_a_secret_is_announced(path: str) -> None:
    assert len(secret_warnings(path, "")) == 1
    assert has_secret_name(path)


@pytest.mark.parametrize(
    "path", [".env.example", "environment.py", "key.py", "pem.md", "id_rsa.pub"]
)
def test_a_harmless_name_is_not(path: str) -> None:
    assert secret_warnings(path, "nothing here") == ()
    assert not has_secret_name(path)


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----",
        "id = AKIA" + "EXAMPLE7" * 2,
        "key = 'sk-proj-" + "a1b2" * 6,
        "key = sk-ant-" + "a1-b2_" * 5,
        "token: ghp_" + "a1b2" * 9,
        "AIza" + "a1b2_" * 7,
    ],
)
def test_a_text_that_looks_like_a_secret_is_announced_without_showing_it(text: str) -> None:
    (warning,) = secret_warnings("settings.py", f"# settings\n{text}\n")
    assert text not in warning


def test_a_secret_is_found_wherever_it_stands_in_a_long_text() -> None:
    key = "AKIA" + "EXAMPLE7" * 2
    for where in (0, 262_134, 262_144, 500_000):
        text = " " * where + f" {key} " + " " * 100_000
        assert secret_warnings("a.txt", text), where


def test_ordinary_code_is_not_announced() -> None:
    text = "ask-me-anything-about-this-repository-please = 1\ndef task_skip(): pass\n"
    assert secret_warnings("a.py", text) == ()


KEY = "k = 'sk-proj-" + "a1b2" * 6 + "'\n"
FILES: dict[str, str | bytes] = {
    "plain.py": "x = 1\n",
    "key.py": KEY,
    "copy.py": KEY,
    "secrets.env": "A=1\n",
    "late.txt": "x\n" * MOST_READ_BYTES + KEY,
    "early.txt": KEY + "x\n" * MOST_READ_BYTES,
    "bytes.bin": b"\0\xff" + KEY.encode(),
    "empty": "",
}
FOUND = ["bytes.bin", "copy.py", "early.txt", "key.py", "secrets.env"]


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "r", FILES)


async def test_secrets_are_found_on_disk_by_name_and_content(folder: RepositoryFolder) -> None:
    (folder.root / "link").symlink_to("key.py")
    found = secrets_on_disk(await discover(folder.root), [*FILES, "link", "gone.py"])
    assert sorted(found) == FOUND
    assert "a1b2" not in str(found)


async def test_what_is_read_from_disk_is_bounded(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(likely_secrets, "MOST_IN_ALL_BYTES", 1)
    found = secrets_on_disk(await discover(folder.root), ["key.py", "copy.py", "secrets.env"])
    assert sorted(found) == ["key.py", "secrets.env"]


async def test_secrets_are_found_in_the_index(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(likely_secrets, "_AT_ONCE_BYTES", 40)
    git = Git(await discover(folder.root))
    rows = [line.split() for line in folder.git("ls-files", "--stage").splitlines()]
    blobs = {path: Blob(mode, name) for mode, name, _, path in rows}
    blobs["sub"] = Blob("160000", "1" * 40)
    assert sorted(await secrets_in_blobs(git, blobs)) == FOUND
    assert await secrets_in_blobs(git, {}) == {}
    with pytest.raises(GitError, match="can't read the files to commit"):
        await secrets_in_blobs(git, {"a": Blob("100644", "1" * 40)})
