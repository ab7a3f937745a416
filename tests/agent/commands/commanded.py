"""A repository in a home folder with secrets, and the runner of its commands."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_ac.agent.commands.command import CommandOutcome, CommandRunner
from jupyter_ac.agent.commands.sandbox import Sandbox
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, make_repository

LIMIT_S = 120.0
SECRET = "correct-horse-battery-staple"


@dataclass
class Commanded:
    """A repository with commands.

    Attributes:
        folder: the repository.
        home: the home folder, around it.
        runner: of its commands.
    """

    folder: RepositoryFolder
    home: Path
    runner: CommandRunner

    async def run(
        self, *argv: str, sandboxed: bool = False, limit_s: float = LIMIT_S
    ) -> CommandOutcome:
        return await self.runner.run(argv, sandboxed=sandboxed, limit_s=limit_s)

    async def python(
        self, code: str, *arguments: str, sandboxed: bool = False, limit_s: float = LIMIT_S
    ) -> CommandOutcome:
        argv = (sys.executable, "-c", code, *arguments)
        return await self.run(*argv, sandboxed=sandboxed, limit_s=limit_s)

    async def sandboxed_python(self, code: str, *arguments: str) -> CommandOutcome:
        return await self.python(code, *arguments, sandboxed=True)


async def make_commanded(
    tmp_path: Path, further: Mapping[str, str] | None = None, read_only: Sequence[Path] = ()
) -> Commanded:
    """Make a repository at `home/a project`, in a home with keys."""
    home = Path(os.path.realpath(tmp_path)) / "home"
    folder = make_repository(home / "a project", {"a.txt": "one\n", "src/b.py": "x = 1\n"})
    for path in (".ssh/id_ed25519", ".local/share/jupyter/runtime/jpserver-1.json", ".netrc"):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(SECRET)
    environ = {**os.environ, "HOME": str(home), "OPENAI_API_KEY": SECRET, **(further or {})}
    sandbox = Sandbox(await discover(folder.root), environ, read_only)
    return Commanded(folder, home, CommandRunner(folder.root, sandbox, environ))


async def make_sandboxed(tmp_path: Path, read_only: Sequence[Path] = ()) -> Commanded:
    """Make one for a test of what the sandbox holds.

    Without bubblewrap the test fails: `tools/bubblewrap.sh` installs it. A container may have no
    namespaces; what happens then is tested everywhere (`test_sandbox.py`).
    """
    commanded = await make_commanded(tmp_path, read_only=read_only)
    refusal = await commanded.runner.sandbox.refusal()
    if "namespaces" in refusal or sys.platform != "linux":
        pytest.skip(refusal)
    assert refusal == ""
    return commanded
