"""A repository, and an environment in which no model is started unless a test asks for one."""

from pathlib import Path

import pytest

from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.stdio_process import command_environment


@pytest.fixture
def garden(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "garden", {"a.py": "print(1)\n", "docs/b.md": "# B\n"})


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return command_environment(tmp_path / "home")
