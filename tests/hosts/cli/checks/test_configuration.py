"""The user's settings and the administrator's."""

import json
from pathlib import Path

from jupyter_ac.hosts.cli.checks import configuration
from jupyter_ac.hosts.cli.checks.context import CheckState
from tests.hosts.cli.checks.conftest import Look


async def test_no_files_are_fine(look: Look, config: Path) -> None:
    found = await configuration.settings(await look())
    assert found.state is CheckState.OK
    assert found.text.startswith(f"{config / 'jupyter_ac'}: no files")


async def test_the_files_that_are_there_are_named(look: Look, config: Path) -> None:
    own = config / "jupyter_ac"
    (own / "llm.json").write_text('{"model": "gpt-5.4"}')
    (own / "llm.json").chmod(0o600)
    (own / "system_extra.md").write_text("Be brief.\n")
    found = await configuration.settings(await look())
    assert (found.state, found.text) == (CheckState.OK, f"{own}: llm.json, system_extra.md")


async def test_a_broken_file_is_named_with_line_and_reason(look: Look, config: Path) -> None:
    (config / "jupyter_ac" / "llm.json").write_text('{\n  "model": "x",\n  oops\n}\n')
    (config / "jupyter_ac" / "app.json").write_text('{"edits": {"review": "yes"}}')
    found = await configuration.settings(await look())
    assert found.state is CheckState.FAIL
    assert "llm.json, line 3" in found.text
    assert "app.json" in found.text
    assert "review" in found.text


async def test_keys_that_others_can_read_are_a_warning(look: Look, config: Path) -> None:
    place = config / "jupyter_ac" / "llm.json"
    place.write_text('{"env": {"OPENAI_API_KEY": "sk-secret-0123456789"}}')
    place.chmod(0o644)
    found = await configuration.settings(await look())
    assert (found.state, found.remedy) == (CheckState.WARN, f"Run `chmod 600 {place}`.")
    assert "sk-secret" not in found.text


async def test_the_administrators_limits_are_listed(look: Look, config: Path) -> None:
    assert (await configuration.administrator(await look())).text == "no limits"
    place = config / "jupyter_ac_config.json"
    limits = {"denied_models": ["openai/*"], "locked_settings": ["litellm.api_base"]}
    place.write_text(json.dumps({"JupyterAC": limits}))
    found = await configuration.administrator(await look())
    assert found.state is CheckState.OK
    assert found.text == (f"{place}: denied_models = openai/*; locked_settings = litellm.api_base")


async def test_the_administrators_file_is_broken(look: Look, config: Path) -> None:
    (config / "jupyter_ac_config.json").write_text("{")
    found = await configuration.administrator(await look())
    assert found.state is CheckState.FAIL
    assert "jupyter_ac_config.json, line 1" in found.text
    assert found.remedy
