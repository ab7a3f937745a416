"""Finds the command that runs a project's tests, by the files in the repository's top folder."""

import asyncio
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from jupyter_ac.errors import AcError, NotFound
from jupyter_ac.git.files import read_text
from jupyter_ac.git.repository import Repository

_PYTEST_SECTIONS: Final = {
    "pytest.ini": "",
    "pyproject.toml": "[tool.pytest",
    "setup.cfg": "[tool:pytest]",
    "tox.ini": "[pytest]",
    "conftest.py": "",
}
_TEST_FOLDERS: Final = ("tests", "test")
_MOST_ENTRIES: Final = 1000
_ENVIRONMENTS: Final = (".venv", "venv")
_MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")
_MAKE_TARGET: Final = re.compile(r"^test[ \t]*:(?!=)", re.MULTILINE)
_NO_NPM_TEST: Final = "no test specified"


@dataclass(frozen=True, slots=True)
class ProjectTests:
    """How a project's tests are run.

    Attributes:
        argv: the command.
        reason: why it is this one, as the end of a sentence.
    """

    argv: tuple[str, ...]
    reason: str


async def find_tests(repository: Repository) -> ProjectTests:
    """Return the command for a project's tests; pytest comes first, then npm.

    Raises:
        NotFound: nothing says how they are run.
    """
    for find in (_pytest, _npm, _make, _cargo, _go):
        found = await find(repository)
        if found is not None:
            return found
    raise NotFound(
        "Nothing in the top folder says how tests are run (pytest, npm, make, cargo, go); "
        "use run_command."
    )


async def _text(repository: Repository, name: str) -> str | None:
    """Return a file's text; None if there is none that can be read."""
    try:
        return await read_text(repository, name)
    except AcError:
        return None


async def _pytest(repository: Repository) -> ProjectTests | None:
    program = await asyncio.to_thread(_pytest_program, repository.root)
    for name, section in _PYTEST_SECTIONS.items():
        text = await _text(repository, name)
        if text is not None and section in text:
            return ProjectTests((program, "-q"), f"{name} is there, for pytest")
    for folder in _TEST_FOLDERS:
        if await asyncio.to_thread(_has_tests, repository.root / folder):
            return ProjectTests((program, "-q"), f"{folder}/ has tests of Python")
    return None


def _pytest_program(root: Path) -> str:
    """Return the project's own pytest if it has another environment than this process."""
    for name in _ENVIRONMENTS:
        folder = root / name
        is_own = (folder / "bin" / "pytest").is_file()
        if is_own and folder.resolve() != Path(sys.prefix).resolve():
            return f"{name}/bin/pytest"
    return "pytest"


def _has_tests(folder: Path) -> bool:
    try:
        entries = [entry for entry, _ in zip(folder.iterdir(), range(_MOST_ENTRIES), strict=False)]
    except OSError:
        return False
    return any(entry.name.startswith("test_") and entry.suffix == ".py" for entry in entries)


async def _npm(repository: Repository) -> ProjectTests | None:
    text = await _text(repository, "package.json")
    if text is None:
        return None
    try:
        package = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    scripts = package.get("scripts") if isinstance(package, dict) else None
    script = scripts.get("test") if isinstance(scripts, dict) else None
    if not isinstance(script, str) or not script.strip() or _NO_NPM_TEST in script:
        return None
    return ProjectTests(("npm", "test"), "package.json has a script `test`")


async def _make(repository: Repository) -> ProjectTests | None:
    for name in _MAKEFILES:
        text = await _text(repository, name)
        if text is not None and _MAKE_TARGET.search(text):
            return ProjectTests(("make", "test"), f"{name} has a target `test`")
    return None


async def _cargo(repository: Repository) -> ProjectTests | None:
    if await _text(repository, "Cargo.toml") is None:
        return None
    return ProjectTests(("cargo", "test"), "Cargo.toml is there")


async def _go(repository: Repository) -> ProjectTests | None:
    if await _text(repository, "go.mod") is None:
        return None
    return ProjectTests(("go", "test", "./..."), "go.mod is there")
