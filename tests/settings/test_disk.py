import asyncio
import os
import stat
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, Busy
from jupyter_ac.settings.disk import write, write_lock
from jupyter_ac.settings.files import SettingsKind

LLM, APP = SettingsKind("litellm"), SettingsKind("app")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_whole_and_has_its_permissions_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write(tmp_path, LLM, "{}")
        write(tmp_path, APP, "{}\n")
    finally:
        os.umask(before)
    assert (tmp_path / "llm.json").read_text() == "{}"
    assert (mode(tmp_path / "llm.json"), mode(tmp_path / "app.json")) == (0o600, 0o644)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["app.json", "llm.json"]


def test_a_file_with_keys_that_others_could_read_no_longer_is(tmp_path: Path) -> None:
    for kind in (LLM, APP):
        (tmp_path / kind.file).write_text("old")
        (tmp_path / kind.file).chmod(0o666)
        write(tmp_path, kind, "new")
    assert (mode(tmp_path / "llm.json"), mode(tmp_path / "app.json")) == (0o600, 0o666)


def test_a_link_stays_one(tmp_path: Path) -> None:
    home, dotfiles = tmp_path / "home", tmp_path / "dotfiles"
    home.mkdir()
    dotfiles.mkdir()
    (dotfiles / "mine.json").write_text("old")
    (home / "llm.json").symlink_to("../dotfiles/mine.json")
    write(home, LLM, "new")
    assert (home / "llm.json").is_symlink()
    assert (dotfiles / "mine.json").read_text() == "new"
    (home / "app.json").symlink_to("../dotfiles/not-yet.json")
    write(home, APP, "first")
    assert (dotfiles / "not-yet.json").read_text() == "first"


def test_a_link_to_nowhere_is_said(tmp_path: Path) -> None:
    (tmp_path / "llm.json").symlink_to("gone/llm.json")
    with pytest.raises(AcError, match=r"^llm\.json is a link without a target"):
        write(tmp_path, LLM, "{}")
    assert (tmp_path / "llm.json").is_symlink()


def test_what_a_killed_host_left_goes_with_the_next_save(tmp_path: Path) -> None:
    (tmp_path / ".llm.json-abcd1234").write_text("half")
    (tmp_path / ".llm.json-of-mine.bak").write_text("mine")
    write(tmp_path, LLM, "{}")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".llm.json-of-mine.bak", "llm.json"]


def test_what_can_t_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "llm.json").mkdir()
    with pytest.raises(AcError, match=r"^The configuration folder can't be written \(.*\); make"):
        write(tmp_path, LLM, "{}")
    assert [path.name for path in tmp_path.iterdir()] == ["llm.json"]


async def test_the_folder_is_made_for_its_owner(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "jupyter_ac"
    async with write_lock(folder):
        assert mode(folder) == 0o700


async def test_a_folder_that_can_t_be_made_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AcError, match=r"can't be written .*JUPYTER_AC_CONFIG_DIR") as caught:
        async with write_lock(tmp_path / "file" / "settings"):
            pass
    assert str(tmp_path) not in caught.value.message


async def test_one_writes_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []

    async def enter() -> None:
        async with write_lock(tmp_path):
            inside.append(1)
            assert len(inside) == 1
            await asyncio.sleep(0)
            inside.pop()

    await asyncio.gather(*(enter() for _ in range(8)))
    monkeypatch.setattr("jupyter_ac.store.locks.WAIT_S", 0.01)
    monkeypatch.setattr("jupyter_ac.store.locks.hold.__wrapped__.__defaults__", (0.01,))
    async with write_lock(tmp_path):
        with pytest.raises(Busy, match="settings"):
            async with write_lock(tmp_path):
                pass


async def test_a_folder_that_takes_no_locks_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("in the way")
    with pytest.raises(
        AcError, match=r"^The configuration folder doesn't support locks; set another"
    ):
        async with write_lock(tmp_path):
            pass
