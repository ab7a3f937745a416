"""Every test here runs once at each door."""

from collections.abc import Iterator

import pytest

from tests.contract.doors import DOORS, Door, HostEnvironment, environment_for
from tests.support.model_process import BackgroundLoop, RunningModelServer, running_model_server
from tests.support.repositories import make_repository
from tests.support.worker_fork_server import forked_workers

__all__ = ["forked_workers"]


@pytest.fixture(scope="session")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningModelServer]:
    """The scripted model behind all doors."""
    with running_model_server(tmp_path_factory.mktemp("provider")) as server:
        yield server


@pytest.fixture(scope="session")
def host_environment(
    provider: RunningModelServer, fork_server_variables: dict[str, str]
) -> HostEnvironment:
    """Make the environment of a host from its home; its workers start from the fork server."""
    return lambda home: environment_for(home, provider.openai) | fork_server_variables


@pytest.fixture(scope="session", params=DOORS)
def door(
    request: pytest.FixtureRequest,
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Door]:
    """A door with its host and a repository of its own."""
    place = tmp_path_factory.mktemp(str(request.param))
    folder = make_repository(place / "garden", {"a.py": "print(1)\n", "b.bin": b"\0"})
    opened = DOORS[request.param](background, folder, host_environment(place / "home"))
    opened.run(opened.start())
    yield opened
    opened.run(opened.aclose())
