import asyncio
from pathlib import Path

import pytest

from jupyter_ac.agent.grant_store import FILE, GrantStore
from jupyter_ac.agent.mcp_servers.pin_store import PinStore
from jupyter_ac.agent.mcp_servers.server_config import ServerConfig
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.cli import exit_codes
from jupyter_ac.hosts.cli.main import main
from jupyter_ac.settings.paths import CONFIG_VARIABLE
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    monkeypatch.setenv(CONFIG_VARIABLE, str(folder))
    return folder


@pytest.fixture
def garden(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden")


def allow(config: Path, garden: RepositoryFolder, *commands: str) -> None:
    async def add() -> None:
        store = GrantStore(config, await discover(garden.root))
        for command in commands:
            await store.add(command.split())

    asyncio.run(add())


def test_the_commands_are_listed_until_they_are_taken_back(
    config: Path, garden: RepositoryFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    allow(config, garden, "pytest -q", "make test")
    command = ["grants", "--repo", str(garden.root)]
    assert main(command) == exit_codes.DONE
    listed = [line.split("  ")[-1] for line in capsys.readouterr().out.splitlines()]
    assert listed == ["pytest -q", "make test"]
    assert main([*command, "--revoke", "pytest -q"]) == exit_codes.DONE
    assert capsys.readouterr().out == "Agents ask again before: pytest -q\n"
    assert main(command) == exit_codes.DONE
    assert capsys.readouterr().out.endswith("  make test\n")
    assert main([*command, "--revoke", "make test"]) == exit_codes.DONE
    capsys.readouterr()
    assert main(command) == exit_codes.DONE
    assert capsys.readouterr().out.startswith("No command is allowed from now on")


def test_servers_of_the_repository_are_listed_and_taken_back(
    config: Path, garden: RepositoryFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    async def allow_server() -> None:
        server = ServerConfig("db", "repository", ("db", "a b"), (("X", "1"),))
        await PinStore(config, await discover(garden.root)).allow(server)

    asyncio.run(allow_server())
    command = ["grants", "--repo", str(garden.root)]
    assert main(command) == exit_codes.DONE
    assert capsys.readouterr().out.endswith("MCP server db              X=1 db 'a b'\n")
    assert main([*command, "--revoke-server", "db"]) == exit_codes.DONE
    assert capsys.readouterr().out == "Agents ask again before the MCP server: db\n"
    assert main([*command, "--revoke-server", "db"]) == exit_codes.FAILED
    assert "isn't allowed" in capsys.readouterr().err


def test_another_repository_has_its_own(
    config: Path, garden: RepositoryFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    allow(config, garden, "pytest -q")
    other = make_repository(tmp_path / "other")
    assert main(["grants", "--repo", str(other.root)]) == exit_codes.DONE
    assert "pytest" not in capsys.readouterr().out


def test_what_is_not_allowed_can_not_be_taken_back(
    config: Path, garden: RepositoryFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    allow(config, garden, "pytest -q")
    command = ["grants", "--repo", str(garden.root), "--revoke"]
    assert main([*command, "pytest"]) == exit_codes.FAILED
    assert "aren't allowed" in capsys.readouterr().err
    assert main([*command, "pytest | tee x"]) == exit_codes.USAGE
    assert "--revoke: " in capsys.readouterr().err
    assert main(["grants", "--repo", str(garden.root)]) == exit_codes.DONE
    assert "pytest -q" in capsys.readouterr().out


def test_a_file_that_can_not_be_read_is_said(
    config: Path, garden: RepositoryFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    config.mkdir()
    (config / FILE).write_text("{")
    assert main(["grants", "--repo", str(garden.root)]) == exit_codes.FAILED
    assert FILE in capsys.readouterr().err


HIDDEN = ["pytest", "a\x1b[8m'b", "\\x1b", "x\ny", "\u202e"]


def test_a_listed_line_takes_back_what_cannot_be_typed(
    config: Path, garden: RepositoryFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    async def add(*words: str) -> None:
        await GrantStore(config, await discover(garden.root)).add(words)

    asyncio.run(add(*HIDDEN))
    asyncio.run(add("pytest", "\\x1b"))
    asyncio.run(add("pytest", "\x1b"))
    command = ["grants", "--repo", str(garden.root)]
    assert main(command) == exit_codes.DONE
    lines = capsys.readouterr().out.splitlines()
    listed = [line[27:] for line in lines]
    assert listed == [
        r"pytest $'a\x1b[8m\'b' '\x1b' $'x\x0ay' $'\u202e'",
        r"pytest '\x1b'",
        r"pytest $'\x1b'",
    ]
    for left in (2, 1):
        assert main([*command, "--revoke", listed.pop()]) == exit_codes.DONE
        capsys.readouterr()
        assert main(command) == exit_codes.DONE
        assert [line[27:] for line in capsys.readouterr().out.splitlines()] == listed
        assert len(listed) == left
    assert main([*command, "--revoke", listed[0]]) == exit_codes.DONE
    assert capsys.readouterr().out == f"Agents ask again before: {listed[0]}\n"
