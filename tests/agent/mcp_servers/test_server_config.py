import json
from pathlib import Path

import pytest

from jupyter_ac.agent.mcp_servers.server_config import (
    MAX_BYTES,
    MAX_SERVERS,
    ServerConfig,
    read_servers,
)


def write(place: Path, servers: object) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"mcpServers": servers}))


def test_the_users_servers_come_before_those_of_the_repository(tmp_path: Path) -> None:
    config, root = tmp_path / "config", tmp_path / "repo"
    root.mkdir()
    assert read_servers(config, root).servers == ()
    write(
        config / "mcp.json", {"db": {"command": "db", "args": ["-x"], "env": {"B": "2", "A": "1"}}}
    )
    write(
        root / ".mcp.json",
        {
            "db": {"command": "evil"},
            "web": {"command": "web"},
            "off": {"command": "o", "disabled": True},
        },
    )
    found = read_servers(config, root)
    assert found.problems == ()
    assert found.servers == (
        ServerConfig("db", "user", ("db", "-x"), (("A", "1"), ("B", "2"))),
        ServerConfig("web", "repository", ("web",)),
    )
    assert found.servers[0].line == "A=1 B=2 db -x"


def test_another_argument_variable_or_file_is_another_server() -> None:
    usual = ServerConfig("a", "user", ("x", "y"), (("A", "1"),))
    others = [
        ServerConfig("a", "user", ("x", "z"), (("A", "1"),)),
        ServerConfig("a", "user", ("x y",), (("A", "1"),)),
        ServerConfig("a", "user", ("x", "y"), (("A", "2"),)),
        ServerConfig("a", "repository", ("x", "y"), (("A", "1"),)),
        ServerConfig("b", "user", ("x", "y"), (("A", "1"),)),
        ServerConfig("a", "user", ("x", "y"), (("A", "1"),), (("y", "hash"),)),
    ]
    assert usual.digest not in {other.digest for other in others}
    assert len({other.digest for other in others}) == len(others)


@pytest.mark.parametrize(
    "server",
    [
        {},
        [],
        {"url": "https://example.org"},
        {"command": 3},
        {"command": ""},
        {"command": "a\0b"},
        {"command": "x", "args": "y"},
        {"command": "x", "args": [1]},
        {"command": "x", "args": ["y"] * 1000},
        {"command": "x", "env": {"A": 1}},
        {"command": "x", "env": {"A=B": "1"}},
        {"command": "x", "env": []},
    ],
)
def test_what_cannot_be_used_is_said(tmp_path: Path, server: object) -> None:
    write(tmp_path / "mcp.json", {"bad": server, "good": {"command": "x"}})
    found = read_servers(tmp_path, tmp_path / "gone")
    assert [one.name for one in found.servers] == ["good"]
    (problem,) = found.problems
    assert "'bad'" in problem


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"mcpServers": []}', "[" * 100_000, "x" * (MAX_BYTES + 1)]
)
def test_a_file_that_is_no_configuration_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "mcp.json").write_text(text)
    found = read_servers(tmp_path, tmp_path / "gone")
    assert found.servers == ()
    assert found.problems == ("mcp.json can't be read as JSON with mcpServers; correct it.",)


def test_names_and_numbers_are_bounded(tmp_path: Path) -> None:
    many = {f"s{number}": {"command": "x"} for number in range(100)}
    write(tmp_path / "mcp.json", {"a/b": {"command": "x"}, "": {"command": "x"}, **many})
    found = read_servers(tmp_path, tmp_path / "gone")
    assert len(found.servers) == MAX_SERVERS
    assert len(found.problems) == 2


def test_a_link_in_the_place_of_a_repositorys_file_is_not_followed(tmp_path: Path) -> None:
    config, root = tmp_path / "config", tmp_path / "repo"
    write(tmp_path / "elsewhere.json", {"a": {"command": "x"}})
    write(config / "mcp.json", {})
    root.mkdir()
    (root / ".mcp.json").symlink_to(tmp_path / "elsewhere.json")
    found = read_servers(config, root)
    assert found.servers == ()
    assert found.problems == (".mcp.json can't be read as JSON with mcpServers; correct it.",)
    (config / "mcp.json").unlink()
    (config / "mcp.json").symlink_to(tmp_path / "elsewhere.json")
    assert [server.name for server in read_servers(config, root).servers] == ["a"]
