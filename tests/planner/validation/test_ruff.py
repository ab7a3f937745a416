import os
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, Unsupported
from jupyter_ac.planner.validation.ruff import RuffChecker, require_rules

LIMIT_S = 60.0


def fake(folder: Path, text: str) -> str:
    path = folder / "ruff"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


async def test_a_configuration_of_the_repository_has_no_say(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text('lint.ignore = ["F401"]\n', encoding="utf-8")
    ruff = RuffChecker(tmp_path, os.environ)
    program = ruff.find()
    assert program is not None
    found = await ruff.check(program, "import os\n", ["F401"], LIMIT_S, is_notebook=False)
    assert [each["rule"] for each in found.diagnostics] == ["F401"]
    assert found.tool_version[0].isdigit()
    again = await ruff.check(program, "", [], LIMIT_S, is_notebook=False)
    assert again.tool_version == found.tool_version


@pytest.mark.parametrize(
    "text",
    ["echo broken >&2; exit 2", "echo '{}'", "echo 'x'", "kill -9 $$", "echo '[1, {}' ; exit 1"],
)
async def test_a_ruff_that_fails_is_said(tmp_path: Path, text: str) -> None:
    with pytest.raises(Unsupported, match="ruff failed"):
        await RuffChecker(tmp_path, {}).check(
            fake(tmp_path, text), "x = 1\n", [], LIMIT_S, is_notebook=False
        )


async def test_rows_that_lack_members_are_read(tmp_path: Path) -> None:
    program = fake(tmp_path, 'echo \'[{}, 7, {"code": "F1", "fix": {"edits": [{}, 1]}}]\'')
    found = await RuffChecker(tmp_path, {}).check(program, "", [], LIMIT_S, is_notebook=False)
    assert [each["rule"] for each in found.diagnostics] == ["syntax", "F1"]
    assert found.diagnostics[1]["fix"]["edits"][0]["line"] == 1


def test_what_is_no_rule_is_refused_with_its_place() -> None:
    require_rules(["F401", "E", "PLR0913"])
    with pytest.raises(InvalidParams) as raised:
        require_rules(["F401", "-v"])
    assert raised.value.details == {"path": "$.rules[1]"}
