"""The MCP servers that are configured: `mcp.json` of the user, `.mcp.json` of the repository."""

import hashlib
import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from jupyter_ac.errors import TooLarge
from jupyter_ac.git.allowed_programs import fingerprints
from jupyter_ac.git.command_files import files_named

USER_FILE: Final = "mcp.json"
REPOSITORY_FILE: Final = ".mcp.json"
MAX_SERVERS: Final = 20
MAX_BYTES: Final = 256 * 1024

Source: TypeAlias = Literal["user", "repository"]

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MAX_TEXTS: Final = 100
_MAX_CHARS: Final = 10_000
_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """A server that can be started.

    Attributes:
        name: as it is configured.
        source: which file names it.
        command: the program, then its arguments.
        env: further variables of its environment, in the order of their names.
        files: of the repository that a command of the repository's file names, with the hashes of
            their content; None: they are too many to be looked at.
    """

    name: str
    source: Source
    command: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] | None = ()

    @property
    def digest(self) -> str:
        """Identifies exactly this command with exactly this environment and these files."""
        written = json.dumps([self.name, self.source, self.command, self.env, self.files])
        return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def line(self) -> str:
        """The command as a shell would take it, its variables first."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.env]
        return " ".join([*variables, shlex.join(self.command)])


@dataclass(frozen=True, slots=True)
class ConfiguredServers:
    """What the files say.

    Attributes:
        servers: by name; the user's comes before the repository's of the same name.
        problems: sentences about what can't be used.
    """

    servers: tuple[ServerConfig, ...] = ()
    problems: tuple[str, ...] = ()


def read_servers(config_dir: Path, root: Path) -> ConfiguredServers:
    """Read both files; a missing one names no server. Blocks on the disk.

    Args:
        config_dir: the user's configuration folder.
        root: the repository's top folder.
    """
    found: dict[str, ServerConfig] = {}
    problems: list[str] = []
    files: Sequence[tuple[Source, Path]] = (
        ("user", config_dir / USER_FILE),
        ("repository", root / REPOSITORY_FILE),
    )
    for source, place in files:
        try:
            rows = _rows(place, follows_links=source == "user")
        except (OSError, ValueError, RecursionError):
            problems.append(f"{place.name} can't be read as JSON with mcpServers; correct it.")
            continue
        for name, row in rows.items():
            try:
                server = _server(name, source, row)
            except ValueError as error:
                problems.append(f"{place.name}: the server {name[:_SHOWN]!r} {error}")
                continue
            if server is not None and name not in found and len(found) < MAX_SERVERS:
                found[name] = _with_files(server, root)
    return ConfiguredServers(tuple(found.values()), tuple(problems))


def _rows(place: Path, *, follows_links: bool) -> Mapping[str, object]:
    """Return what a file names; a link of the repository's could lead out of it.

    Raises:
        OSError: it can't be read.
        ValueError: it is something else.
    """
    try:
        links = 0 if follows_links else os.O_NOFOLLOW
        descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | links)
    except FileNotFoundError:
        return {}
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError("it is too long")
    found = json.loads(data)
    match found:
        case {"mcpServers": dict(rows)}:
            return rows
        case _:
            raise ValueError("it has no servers")


def _server(name: str, source: Source, row: object) -> ServerConfig | None:
    """Return a server; None for one that is switched off.

    Raises:
        ValueError: it can't be used; the end of a sentence says why.
    """
    if not _NAME.fullmatch(name):
        raise ValueError("has a name with other characters than letters, digits, _ and -.")
    if not isinstance(row, dict) or "command" not in row:
        raise ValueError("has no command; only servers that are started here are supported.")
    if row.get("disabled") is True:
        return None
    command, env = [row["command"], *_list(row.get("args", []))], row.get("env", {})
    if not isinstance(env, dict) or not all(map(_VARIABLE.fullmatch, env)):
        raise ValueError("has an env that isn't an object of variables.")
    if not all(map(_is_text, [*command, *env.values()])) or not command[0]:
        raise ValueError("has an argument or a variable that isn't a text.")
    return ServerConfig(name, source, tuple(map(str, command)), tuple(sorted(env.items())))


def _with_files(server: ServerConfig, root: Path) -> ServerConfig:
    """Look at the files that the command of a repository names; what they hold is what runs."""
    if server.source == "user":
        return server
    try:
        found = fingerprints(root, files_named(root, shlex.join(server.command)))
    except (OSError, TooLarge):
        return replace(server, files=None)
    return replace(server, files=tuple(sorted(found.items())))


def _list(value: object) -> list[object]:
    if not isinstance(value, list) or len(value) > _MAX_TEXTS:
        raise ValueError("has args that aren't a list of texts.")
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value and len(value) <= _MAX_CHARS
