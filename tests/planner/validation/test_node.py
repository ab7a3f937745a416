import os
from pathlib import Path

import pytest

from jupyter_ac.errors import Unsupported
from jupyter_ac.planner.validation.node import NodeChecker

LIMIT_S = 60.0


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("export const a = (;\n", (1, 19)),
        ("let a = 1;\nlet a = 2;\n", (2, 5)),
        ("with (a) {}\nlet b = );\n", (2, 9)),
        ("import a from 'b';\nawait a;\nwith (a) {}\n", (3, 1)),
    ],
)
async def test_an_error_is_at_its_place(tmp_path: Path, code: str, place: tuple[int, int]) -> None:
    node = NodeChecker(tmp_path, os.environ)
    program = node.find()
    assert program is not None
    (fault,) = (await node.check(program, code, LIMIT_S)).diagnostics
    assert (fault["line"], fault["column"]) == place


async def test_a_version_is_told_with_an_error(tmp_path: Path) -> None:
    node = NodeChecker(tmp_path, os.environ)
    found = await node.check(node.find() or "", "(", LIMIT_S)
    assert found.tool_version.count(".") == 2


async def test_a_node_that_fails_is_said(tmp_path: Path) -> None:
    path = tmp_path / "node"
    path.write_text("#!/bin/sh\necho bad option >&2; exit 9\n", encoding="utf-8")
    path.chmod(0o755)
    with pytest.raises(Unsupported, match="bad option"):
        await NodeChecker(tmp_path, {}).check(str(path), "", LIMIT_S)
