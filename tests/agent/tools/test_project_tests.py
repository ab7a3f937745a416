import sys
from pathlib import Path

import pytest

from jupyter_ac.agent.tools.project_tests import find_tests
from jupyter_ac.errors import NotFound
from tests.agent.tools.calls import folder_of, opened

PYTEST, NPM, MAKE = ("pytest", "-q"), ("npm", "test"), ("make", "test")


@pytest.mark.parametrize(
    ("files", "argv", "reason"),
    [
        ({"pytest.ini": ""}, PYTEST, "pytest.ini"),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, PYTEST, "pyproject.toml"),
        ({"setup.cfg": "[tool:pytest]\n"}, PYTEST, "setup.cfg"),
        ({"tox.ini": "[pytest]\n"}, PYTEST, "tox.ini"),
        ({"conftest.py": ""}, PYTEST, "conftest.py"),
        ({"tests/test_a.py": ""}, PYTEST, "tests/"),
        ({"package.json": '{"scripts": {"test": "vitest"}}'}, NPM, "script"),
        ({"Makefile": "build:\n\ttrue\ntest: build\n\ttrue\n"}, MAKE, "Makefile"),
        ({"Cargo.toml": ""}, ("cargo", "test"), "Cargo.toml"),
        ({"go.mod": "module x\n"}, ("go", "test", "./..."), "go.mod"),
        ({"conftest.py": "", "package.json": '{"scripts": {"test": "x"}}'}, PYTEST, "conftest"),
        ({"package.json": '{"scripts": {"test": "x"}}', "Makefile": "test:\n"}, NPM, "script"),
    ],
)
async def test_the_command_is_found_by_files(
    tmp_path: Path, files: dict[str, str | bytes], argv: tuple[str, ...], reason: str
) -> None:
    found = await find_tests(await opened(folder_of(tmp_path, files)))
    assert found.argv == argv
    assert reason in found.reason


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": ""},
        {"pyproject.toml": "[tool.ruff]\n"},
        {"tests/data.txt": ""},
        {"tests": "a file"},
        {"package.json": "{broken"},
        {"package.json": "[]"},
        {"package.json": '{"scripts": []}'},
        {"package.json": '{"scripts": {"test": " "}}'},
        {"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'},
        {"Makefile": "test := 1\ntests:\n"},
        {"Makefile": b"\0test:\n"},
    ],
)
async def test_nothing_says_how(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    with pytest.raises(NotFound, match="run_command"):
        await find_tests(await opened(folder_of(tmp_path, files)))


async def test_links_out_of_the_repository_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text("")
    folder = folder_of(tmp_path)
    (folder.root / "Cargo.toml").symlink_to(tmp_path / "Cargo.toml")
    with pytest.raises(NotFound):
        await find_tests(await opened(folder))


async def test_the_projects_own_environment_is_used(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"pytest.ini": ""})
    folder.write(".venv/bin/pytest", "#!/bin/sh\n")
    assert (await find_tests(await opened(folder))).argv == (".venv/bin/pytest", "-q")


async def test_not_the_one_in_which_this_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path, {"pytest.ini": ""})
    folder.write(".venv/bin/pytest", "#!/bin/sh\n")
    monkeypatch.setattr(sys, "prefix", str(folder.root / ".venv"))
    assert (await find_tests(await opened(folder))).argv == PYTEST
