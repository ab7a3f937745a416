"""Servers for tests, and who is asked about them."""

import json
import sys
from pathlib import Path

from jupyter_ac.agent.mcp_servers.server_config import ServerConfig, Source
from jupyter_ac.agent.tool import Question
from jupyter_ac.tool_rows import ToolScope

SCRIPT = Path(__file__).parents[2] / "support" / "probe_mcp_server.py"


def command(kind: str, *more: str) -> list[str]:
    """Return the command of a server."""
    return [sys.executable, str(SCRIPT), kind, *more]


def probe(kind: str, *more: str, source: Source = "user", name: str = "probe") -> ServerConfig:
    """Return a configured server."""
    return ServerConfig(name, source, tuple(command(kind, *more)))


def configure(place: Path, **kinds: str) -> None:
    """Write a configuration of servers, by name."""
    place.parent.mkdir(parents=True, exist_ok=True)
    rows = {}
    for name, kind in kinds.items():
        program, *arguments = command(kind)
        rows[name] = {"command": program, "args": arguments}
    place.write_text(json.dumps({"mcpServers": rows}))


class Person:
    """Answers questions from a list; remembers them, and what was started and failed."""

    def __init__(self, *answers: ToolScope | None) -> None:
        self.asked: list[tuple[str, Question]] = []
        self.failures: list[tuple[str, str]] = []
        self.started: list[str] = []
        self._answers = list(answers)

    async def ask(self, title: str, question: Question) -> ToolScope | None:
        self.asked.append((title, question))
        return self._answers.pop(0)

    def starting(self, name: str) -> None:
        self.started.append(name)

    def failed(self, title: str, reason: str) -> None:
        self.failures.append((title, reason))
