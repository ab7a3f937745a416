"""A repository for the kernel, and the scripted model as the one that its child chooses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.hosts.kernel.child.host import HostChild
from jupyter_ac.hosts.kernel.child.questions import Questions
from tests.hosts.kernel.environment import child_environment
from tests.support.model_process import RunningModelServer, running_model_server
from tests.support.repositories import RepositoryFolder, make_repository

LIMIT_S = 90.0


@pytest.fixture
def garden(tmp_path: Path) -> RepositoryFolder:
    return make_repository(
        tmp_path / "garden", {"a.py": "print('apple')\n", "docs/b.md": "# Berry\n"}
    )


@pytest.fixture
def scripted_child(
    tmp_path: Path, model_server: RunningModelServer, monkeypatch: pytest.MonkeyPatch
) -> RunningModelServer:
    """Let the children that start from now on ask the scripted model."""
    for name, value in child_environment(tmp_path, model_server).items():
        monkeypatch.setenv(name, value)
    return model_server


@pytest.fixture
def host(garden: RepositoryFolder, scripted_child: RunningModelServer) -> Iterator[HostChild]:
    """The real host on the repository, with the scripted model."""
    assert scripted_child
    made = HostChild(garden.root)
    yield made
    made.close(LIMIT_S)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningModelServer]:
    with running_model_server(tmp_path_factory.mktemp("shared") / "requests") as server:
        yield server


@pytest.fixture(scope="session")
def shared(
    tmp_path_factory: pytest.TempPathFactory,
    shared_server: RunningModelServer,
    fork_server_variables: dict[str, str],
) -> Iterator[HostChild]:
    """A host for all tests that need nothing special of it: its start takes seconds."""
    folder = tmp_path_factory.mktemp("shared")
    garden = make_repository(folder / "garden", {"a.py": "print('apple')\n", "docs/b.md": "# B\n"})
    with pytest.MonkeyPatch.context() as patch:
        variables = child_environment(folder, shared_server) | fork_server_variables
        for name, value in variables.items():
            patch.setenv(name, value)
        made = HostChild(garden.root)
        made.submit(Questions(made, "").select([])).result(LIMIT_S)
    # Nothing of it stays in the environment of the tests that follow.
    yield made
    made.close(LIMIT_S)
