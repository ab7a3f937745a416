"""Every test here runs once at each door."""

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.contract.doors import DOORS, Door, HostEnvironment, environment_for
from tests.support.model_process import BackgroundLoop, RunningModelServer, running_model_server
from tests.support.repositories import make_repository
from tests.support.worker_fork_server import forked_workers, forked_workers_of_module

__all__ = ["forked_workers", "forked_workers_of_module"]


@pytest.fixture(scope="session")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningModelServer]:
    """The scripted model behind all doors."""
    with running_model_server(tmp_path_factory.mktemp("provider")) as server:
        yield server


@pytest.fixture(autouse=True)
def answers_as_usual(request: pytest.FixtureRequest) -> Iterator[None]:
    """Leave the model to the next test as it was: its name picks the scenario."""
    yield
    if "provider" in request.fixturenames:
        provider: RunningModelServer = request.getfixturevalue("provider")
        provider.answer_as("")


@pytest.fixture(scope="session")
def host_environment(
    provider: RunningModelServer, fork_server_variables: dict[str, str]
) -> HostEnvironment:
    """Make the environment of a host from its home; its workers start from the fork server."""
    return lambda home: environment_for(home, provider.openai) | fork_server_variables


@pytest.fixture(scope="session")
def opened_doors(
    background: BackgroundLoop,
    host_environment: HostEnvironment,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str], Door]]:
    """Give a door by its name; each is opened once, for the tests of all files."""

    @functools.cache
    def opened(name: str) -> Door:
        place = tmp_path_factory.mktemp(name)
        folder = make_repository(place / "garden", {"a.py": "print(1)\n", "b.bin": b"\0"})
        door = DOORS[name](background, folder, host_environment(place / "home"))
        door.run(door.start())
        closing.callback(lambda: door.run(door.aclose()))
        return door

    with ExitStack() as closing:
        yield opened


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest, opened_doors: Callable[[str], Door]) -> Door:
    """A door with its host and a repository of its own."""
    return opened_doors(request.param)
