import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import TooLarge
from jupyter_ac.git.allowed_programs import (
    Grant,
    fingerprint,
    fingerprints,
    grant_name,
    read_grants,
    write_grant,
)
from jupyter_ac.git.repository import Repository

GRANT = Grant({"filter.x.clean": "tools/x"}, {"tools/": "1"})
NAME = grant_name("filter", "x")


def repository(tmp_path: Path, name: str = "r") -> Repository:
    root = tmp_path / name
    (root / ".git").mkdir(parents=True)
    return Repository(
        root, root / ".git", root / ".git", name, permissions=tmp_path / "c" / "a.json"
    )


async def test_a_grant_is_kept_for_its_repository_alone(tmp_path: Path) -> None:
    one, other = repository(tmp_path), repository(tmp_path, "other")
    await write_grant(one, NAME, GRANT)
    assert read_grants(one).by_name == {NAME: GRANT}
    assert read_grants(other).by_name == {}
    place = one.permissions
    assert place is not None
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    await write_grant(one, NAME, None)
    assert read_grants(one).by_name == {}


async def test_another_repository_at_the_same_place_is_allowed_nothing(tmp_path: Path) -> None:
    one = repository(tmp_path)
    await write_grant(one, NAME, GRANT)
    (one.root / ".git").rename(one.root / "moved")
    (one.root / ".git").mkdir()
    assert read_grants(one).by_name == {}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"version": 2}', '{"version": 1, "repositories": 3}', "[" * 100_000],
)
async def test_a_broken_file_allows_nothing_and_is_replaced(tmp_path: Path, text: str) -> None:
    one = repository(tmp_path)
    place = one.permissions
    assert place is not None
    place.parent.mkdir()
    place.write_text(text)
    found = read_grants(one)
    assert found.by_name == {}
    assert "can't be read" in found.problem
    await write_grant(one, NAME, GRANT)
    assert read_grants(one).by_name == {NAME: GRANT}
    assert place.with_suffix(".unreadable").read_text() == text


async def test_a_folder_of_the_user_behind_a_link_of_theirs_keeps_what_is_allowed(
    tmp_path: Path,
) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "config").symlink_to("dotfiles")
    one = replace(repository(tmp_path), permissions=tmp_path / "config" / "a.json")
    await write_grant(one, NAME, GRANT)
    assert read_grants(one).by_name == {NAME: GRANT}


def test_without_a_place_nothing_is_allowed(tmp_path: Path) -> None:
    assert read_grants(replace(repository(tmp_path), permissions=None)).by_name == {}


def test_every_change_below_a_folder_is_seen(tmp_path: Path) -> None:
    root = tmp_path / "r"
    (root / "tools" / "sub").mkdir(parents=True)
    observed = {fingerprint(root, "tools/")}

    def look() -> None:
        found = fingerprint(root, "tools/")
        assert found not in observed
        observed.add(found)

    (root / "tools" / "x.py").write_text("1")
    look()
    (root / "tools" / "x.py").write_text("2")
    look()
    (root / "tools" / "sub" / "json.py").write_text("")
    look()
    (root / "tools" / "link").symlink_to("x.py")
    look()
    (root / "tools" / "__pycache__").mkdir()
    (root / "tools" / "__pycache__" / "y.pyc").write_bytes(b"1234\1\0\0\0code")
    look()
    os.mkfifo(root / "tools" / "pipe")
    look()


def test_compiled_python_that_is_checked_doesnt_count(tmp_path: Path) -> None:
    (tmp_path / "tools" / "__pycache__").mkdir(parents=True)
    (tmp_path / "tools" / "x.py").write_text("1")
    before = fingerprint(tmp_path, "tools/")
    (tmp_path / "tools" / "__pycache__" / "x.pyc").write_bytes(b"1234\0\0\0\0code")
    assert fingerprint(tmp_path, "tools/") == before


def test_what_is_not_there_has_a_fingerprint_too(tmp_path: Path) -> None:
    assert fingerprints(tmp_path, ["a", "b/"]) == {"a": "missing", "b/": "missing"}


def test_a_folder_that_holds_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.git.allowed_programs._MAX_FILES", 2)
    for name in "abc":
        (tmp_path / name).touch()
    with pytest.raises(TooLarge, match="holds too much"):
        fingerprint(tmp_path, "")


def test_a_folder_may_hold_large_programs(tmp_path: Path) -> None:
    """Environments that lie in the repository hold some of 50 MB."""
    with (tmp_path / "uv").open("wb") as file:
        file.truncate(50_000_000)
    before = fingerprint(tmp_path, "")
    with (tmp_path / "uv").open("r+b") as file:
        file.seek(49_999_999)
        file.write(b"x")
    assert fingerprint(tmp_path, "") != before


def test_one_file_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.git.allowed_programs._MAX_FILE_BYTES", 2)
    (tmp_path / "a").write_text("abc")
    with pytest.raises(TooLarge, match="holds too much"):
        fingerprint(tmp_path, "a")
