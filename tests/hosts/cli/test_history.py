import json
from argparse import Namespace
from pathlib import Path

import pytest

from jupyter_ac.errors import TooLarge
from jupyter_ac.hosts.cli import exit_codes, history
from jupyter_ac.hosts.cli.main import main
from tests.support.repositories import make_repository

SAID = {"session_id": "sess_1700000000000_abcdef", "content": "Why a garden?", "role": "user"}


def test_acdcs_sessions_become_sessions_of_the_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_repository(tmp_path / "garden")
    file = tmp_path / "history.jsonl"
    file.write_text("\n".join([json.dumps(SAID | {"images": 2}), "broken"]), "utf-8")
    command = ["history", "import", str(file), "--repo", str(folder.root)]
    assert main(command) == exit_codes.DONE
    assert capsys.readouterr().out.splitlines() == [
        "history.jsonl: 1 new messages in 1 sessions; 0 were known.",
        "2 images were passed over; the messages that had them are there.",
        "1 lines could not be used: 2.",
    ]
    assert main(command) == exit_codes.DONE
    assert "0 new messages in 0 sessions; 1 were known." in capsys.readouterr().out


def test_a_file_without_a_message_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_repository(tmp_path / "garden")
    file = tmp_path / "notes.txt"
    file.write_bytes(b"\xff\n" * 30)
    assert main(["history", "import", str(file), "--repo", str(folder.root)]) == exit_codes.FAILED
    assert "30 lines could not be used: 1, 2, 3" in capsys.readouterr().out
    missing = str(tmp_path / "missing")
    assert main(["history", "import", missing, "--repo", str(folder.root)]) == exit_codes.FAILED
    assert "No such file" in capsys.readouterr().err


def test_a_file_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "garden")
    file = tmp_path / "history.jsonl"
    file.write_text(json.dumps(SAID))
    monkeypatch.setattr(history, "MAX_BYTES", 10)
    with pytest.raises(TooLarge, match=r"history\.jsonl is longer than"):
        history.run(Namespace(repo=folder.root, file=file, user="ada"))


def test_a_line_that_is_too_long_is_only_one_bad_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_repository(tmp_path / "garden")
    file = tmp_path / "history.jsonl"
    file.write_text("\n".join(["x" * 500, json.dumps(SAID)]))
    monkeypatch.setattr(history, "MAX_LINE_CHARS", 100)
    assert history.run(Namespace(repo=folder.root, file=file, user="ada")) == exit_codes.DONE
    said = capsys.readouterr().out
    assert "1 new messages in 1 sessions" in said
    assert "1 lines could not be used: 1." in said
