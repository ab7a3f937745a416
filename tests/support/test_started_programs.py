import importlib

import pytest

from tests.support import started_programs
from tests.support.started_programs import starts_programs


@pytest.mark.parametrize("name", sorted(started_programs._STARTERS))
def test_what_starts_programs_is_there(name: str) -> None:
    assert importlib.import_module(name)


def test_a_test_is_known_by_its_fixtures_and_by_what_it_imports(
    request: pytest.FixtureRequest,
) -> None:
    assert not starts_programs(request.node)
    request.node.fixturenames.append("page")
    assert starts_programs(request.node)
    request.node.fixturenames.remove("page")
    assert started_programs.module_starts_programs("tests.support.model_process")
    assert not started_programs.module_starts_programs("tests.support.repositories")
