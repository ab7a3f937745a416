"""What several checks need, found out once."""

from pathlib import Path

import pytest

from jupyter_ac.errors import NotFound, NotReady
from jupyter_ac.hosts.cli.checks.context import CheckResult, CheckState, NotChecked, fail, ok, warn
from tests.hosts.cli.checks.conftest import Look
from tests.support.repositories import RepositoryFolder


async def test_everything_is_there(look: Look, garden: RepositoryFolder) -> None:
    here = await look(OPENAI_API_KEY="sk-0123456789abcdef")
    assert here.repository.root == garden.root
    assert here.plan.choice is not None
    assert here.plan.choice.source == "OPENAI_API_KEY"
    assert here.planner.environ["OPENAI_API_KEY"]


async def test_the_command_line_names_the_model(look: Look) -> None:
    here = await look(model="openai/mine")
    assert here.plan.choice is not None
    assert (here.plan.choice.model, here.plan.choice.source) == ("openai/mine", "flag")


async def test_without_a_repository_what_needs_one_is_not_checked(
    look: Look, tmp_path: Path
) -> None:
    (tmp_path / "bare").mkdir()
    here = await look(folder=tmp_path / "bare")
    assert isinstance(here.found, NotFound)
    with pytest.raises(NotChecked):
        _ = here.repository


async def test_without_the_administrators_settings_nothing_is_chosen(
    look: Look, config: Path
) -> None:
    (config / "jupyter_ac_config.json").write_text("{")
    here = await look()
    assert isinstance(here.limits, NotReady)
    for name in ("plan", "planner"):
        with pytest.raises(NotChecked):
            getattr(here, name)


def test_the_three_ways_to_say_it() -> None:
    assert ok("fine", "a", "b") == CheckResult(CheckState.OK, "fine", "", ("a", "b"))
    assert warn("slow", "hurry") == CheckResult(CheckState.WARN, "slow", "hurry")
    assert fail("broken", "mend it", "x") == CheckResult(
        CheckState.FAIL, "broken", "mend it", ("x",)
    )
