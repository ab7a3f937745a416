"""Every test here runs once at each door."""

from collections.abc import Iterator

import pytest

from tests.contract.doors import DOORS, Door, environment_for
from tests.support.model_process import BackgroundLoop, RunningModelServer, running_model_server
from tests.support.repositories import make_repository


@pytest.fixture(scope="session")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningModelServer]:
    """The scripted model behind all doors."""
    with running_model_server(tmp_path_factory.mktemp("provider")) as server:
        yield server


@pytest.fixture(scope="session", params=DOORS)
def door(
    request: pytest.FixtureRequest,
    background: BackgroundLoop,
    provider: RunningModelServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Door]:
    """A door with its host and a repository of its own."""
    place = tmp_path_factory.mktemp(str(request.param))
    folder = make_repository(place / "garden", {"a.py": "print(1)\n", "b.bin": b"\0"})
    environment = environment_for(place / "home", provider.openai)
    opened = DOORS[request.param](background, folder, environment)
    opened.run(opened.start())
    yield opened
    opened.run(opened.aclose())
