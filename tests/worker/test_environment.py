import asyncio
import os

import pytest

from jupyter_ac.worker.environment import CallEnvironment

LIMIT_S = 90.0


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AC_TEST_HOST", "host")
    monkeypatch.delenv("AC_TEST_NEW", raising=False)


async def test_variables_hold_until_others_are_wanted() -> None:
    switches: list[str] = []
    environment = CallEnvironment(lambda: switches.append(os.environ["AC_TEST_HOST"]))
    async with environment.applied({"AC_TEST_HOST": "call", "AC_TEST_NEW": "1"}):
        assert (os.environ["AC_TEST_HOST"], os.environ["AC_TEST_NEW"]) == ("call", "1")
    async with environment.applied({"AC_TEST_HOST": "call", "AC_TEST_NEW": "1"}):
        pass
    async with environment.applied({}):
        assert os.environ["AC_TEST_HOST"] == "host"
        assert "AC_TEST_NEW" not in os.environ
    assert switches == ["call", "host"]


async def test_calls_with_the_same_variables_run_side_by_side() -> None:
    environment = CallEnvironment(lambda: None)
    async with environment.applied({"AC_TEST_NEW": "1"}), environment.applied({"AC_TEST_NEW": "1"}):
        assert os.environ["AC_TEST_NEW"] == "1"
    async with environment.applied({}):
        pass


async def test_a_call_with_other_variables_waits_for_its_turn() -> None:
    environment = CallEnvironment(lambda: None)
    seen: list[str] = []

    async def other() -> None:
        async with environment.applied({"AC_TEST_NEW": "2"}):
            seen.append(os.environ["AC_TEST_NEW"])

    async with environment.applied({"AC_TEST_NEW": "1"}):
        waiting = [asyncio.create_task(other()) for _ in range(3)]
        for _ in range(5):
            await asyncio.sleep(0)
        assert seen == []
        assert os.environ["AC_TEST_NEW"] == "1"
    await asyncio.wait_for(asyncio.gather(*waiting), LIMIT_S)
    assert seen == ["2"] * 3
    async with environment.applied({}):
        pass


async def test_a_call_that_fails_frees_the_environment() -> None:
    environment = CallEnvironment(lambda: None)
    with pytest.raises(ValueError, match="x"):
        async with environment.applied({"AC_TEST_NEW": "1"}):
            raise ValueError("x")
    async with asyncio.timeout(LIMIT_S), environment.applied({}):
        assert "AC_TEST_NEW" not in os.environ
