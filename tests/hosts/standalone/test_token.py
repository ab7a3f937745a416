import os
import time
from pathlib import Path

import pytest

from jupyter_ac.hosts.standalone.token import KEEP_S, TokenFile, new_token


@pytest.fixture
def token_file(tmp_path: Path) -> TokenFile:
    return TokenFile(18080, tmp_path / "runtime")


def place(tmp_path: Path) -> Path:
    return tmp_path / "runtime" / "jupyter-ac-18080.token"


def test_a_token_is_long_and_new() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(token) for token in tokens} == {48}


def test_it_is_found_again_on_the_same_port_only(token_file: TokenFile, tmp_path: Path) -> None:
    assert token_file.read(time.time()) == ""
    token = new_token()
    token_file.write(token)
    token_file.write(token)
    assert token_file.read(time.time()) == token
    assert TokenFile(18081, tmp_path / "runtime").read(time.time()) == ""
    assert place(tmp_path).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in place(tmp_path).parent.iterdir()] == [place(tmp_path).name]


def test_it_is_forgotten_after_a_day(token_file: TokenFile) -> None:
    token_file.write(new_token())
    assert token_file.read(time.time() + KEEP_S - 60)
    assert token_file.read(time.time() + KEEP_S + 60) == ""


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_file_that_others_can_touch_is_not_trusted(
    token_file: TokenFile, tmp_path: Path, mode: int
) -> None:
    token_file.write(new_token())
    place(tmp_path).chmod(mode)
    assert token_file.read(time.time()) == ""


def test_another_user_s_file_is_not_trusted(
    token_file: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    token_file.write(new_token())
    owner = os.geteuid()
    monkeypatch.setattr("os.geteuid", lambda: owner + 1)
    assert token_file.read(time.time()) == ""


def test_a_link_is_not_followed(token_file: TokenFile, tmp_path: Path) -> None:
    token_file.write(new_token())
    place(tmp_path).rename(tmp_path / "elsewhere")
    place(tmp_path).symlink_to(tmp_path / "elsewhere")
    assert token_file.read(time.time()) == ""
    token_file.write(new_token())
    assert not place(tmp_path).is_symlink()


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 48, b"0" * 49, b"\xff" * 48])
def test_what_is_no_token_is_not_taken(
    token_file: TokenFile, tmp_path: Path, content: bytes
) -> None:
    token_file.write(new_token())
    place(tmp_path).write_bytes(content)
    assert token_file.read(time.time()) == ""


def test_a_pipe_in_its_place_does_not_block(token_file: TokenFile, tmp_path: Path) -> None:
    place(tmp_path).parent.mkdir(exist_ok=True)
    os.mkfifo(place(tmp_path), 0o600)
    assert token_file.read(time.time()) == ""


def test_a_folder_that_cannot_be_written_costs_no_more_than_the_token(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    token_file = TokenFile(1, tmp_path / "file" / "runtime")
    token_file.write(new_token())
    assert token_file.read(time.time()) == ""
