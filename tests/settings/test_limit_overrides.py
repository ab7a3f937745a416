"""Limits of a command line instead of those of `app.json`."""

import dataclasses
import json
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied
from jupyter_ac.hosts.cli.options import DOLLARS, STEPS
from jupyter_ac.settings.app import AgentSettings, AppSettings
from jupyter_ac.settings.limit_overrides import NO_OVERRIDES, LimitOverrides
from jupyter_ac.settings.live import LiveSettings


def test_only_what_is_given_is_replaced() -> None:
    settings = AppSettings()
    assert NO_OVERRIDES.applied(settings) is settings
    assert LimitOverrides(max_steps=3).applied(settings).agent == AgentSettings(max_steps=3)
    assert LimitOverrides(max_usd=0.5).applied(settings).agent == AgentSettings(max_usd=0.5)


def test_they_outlast_a_change_of_the_file(tmp_path: Path) -> None:
    live = LiveSettings(tmp_path)
    live.override(LimitOverrides(max_steps=3))
    (tmp_path / "app.json").write_text(json.dumps({"agent": {"max_steps": 7, "max_minutes": 2}}))
    live.refresh()
    assert (live.app.agent.max_steps, live.app.agent.max_minutes) == (3, 2)


@pytest.mark.parametrize("locked", ["app", "app.agent", "app.agent.max_usd"])
def test_what_is_locked_is_refused(locked: str, tmp_path: Path) -> None:
    live = LiveSettings(tmp_path, [locked])
    with pytest.raises(AccessDenied, match="--max-usd"):
        live.override(LimitOverrides(max_usd=0.5))
    assert live.app.agent == AgentSettings()


def test_another_lock_is_no_reason(tmp_path: Path) -> None:
    live = LiveSettings(tmp_path, ["app.agent.max_usd", "litellm"])
    live.override(LimitOverrides(max_steps=5))
    assert live.app.agent.max_steps == 5


def test_as_options_of_a_host() -> None:
    assert NO_OVERRIDES.words() == []
    assert LimitOverrides(5, 0.25).words() == ["--max-steps=5", "--max-usd=0.25"]


def test_the_command_line_has_the_bounds_of_the_settings() -> None:
    bounds = {field.name: field.metadata for field in dataclasses.fields(AgentSettings)}
    steps, usd = bounds["max_steps"], bounds["max_usd"]
    assert (STEPS[0], STEPS[-1]) == (steps["least"], steps["most"])
    assert (usd["least"], usd["most"]) == DOLLARS
