"""Escapes from the rules are counted; the counts may only fall.

`budget.json` holds, for each kind, the number of places in `jupyter_ac/` and `tests/`. When a
change removes some, it lowers the number in the same commit.
"""

import ast
import json
import re
import tokenize
from io import StringIO
from pathlib import Path

import pytest

from tests.meta.sources import ROOT

BUDGET = Path(__file__).with_name("budget.json")
COMMENTS = {"type: ignore": re.compile(r"#\s*type:\s*ignore"), "noqa": re.compile(r"#\s*noqa")}


def files(folder: str) -> list[str]:
    paths = sorted((ROOT / folder).rglob("*.py"))
    return [path.read_text(encoding="utf-8") for path in paths]


def count_comments(pattern: re.Pattern[str], texts: list[str]) -> int:
    """Count in comments; only few texts have it at all, and to take one apart takes long."""
    return sum(
        len(pattern.findall(token.string))
        for text in texts
        if pattern.search(text)
        for token in tokenize.generate_tokens(StringIO(text).readline)
        if token.type == tokenize.COMMENT
    )


def count_any(texts: list[str]) -> int:
    return sum(
        isinstance(node, ast.Name) and node.id == "Any"
        for text in texts
        if "Any" in text
        for node in ast.walk(ast.parse(text))
    )


def measured(folder: str) -> dict[str, int]:
    texts = files(folder)
    counts = {kind: count_comments(pattern, texts) for kind, pattern in COMMENTS.items()}
    return counts | {"Any": count_any(texts)}


@pytest.mark.parametrize("folder", ["jupyter_ac", "tests"])
def test_the_escapes_are_exactly_those_recorded(folder: str) -> None:
    recorded = json.loads(BUDGET.read_text(encoding="utf-8"))[folder]
    found = measured(folder)
    assert found == recorded, "fewer: lower the number in budget.json; more: find another way"
