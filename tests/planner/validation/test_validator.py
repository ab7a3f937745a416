"""Code in each kind of language, checked by the real tools; and that none of it is executed."""

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, TimedOut, TooLarge, Unsupported
from jupyter_ac.planner.validation.code_languages import KNOWN
from jupyter_ac.planner.validation.diagnostics import Findings
from jupyter_ac.planner.validation.node import NodeChecker
from jupyter_ac.planner.validation.ruff import RuffChecker
from jupyter_ac.planner.validation.syntax_client import SyntaxClient
from jupyter_ac.planner.validation.validator import (
    MAX_CHARACTERS,
    MAX_RULES,
    Checkers,
    CodeValidator,
)

LIMIT_S = 120.0

BROKEN = {
    "python": ("def f(:\n    pass\n", 1),
    "javascript": ("let a = 1;\nlet a = (;\n", 2),
    "typescript": ("const a: number = 1;\nfunction f( {\n", 2),
    "tsx": ("const a = <div>;\n", 1),
    "json": ('{"a": 1,\n "b": NaN }\n', 2),
    "yaml": ("a: 1\nb: [1, 2\n", 3),
    "toml": ("a = 1\nb = \n", 2),
    "bash": ("if true; then\n  echo a\n", 3),
    "go": ("package main\nfunc f( {\n", 2),
    "rust": ("fn f() {\n  let = 1;\n}\n", 2),
    "css": ("a { color: red; }\nb { color\n", 2),
}
SOUND = {
    "python": "import os\n\nprint(os.sep)\n",
    "javascript": 'import a from "b";\nexport const c = await a();\n',
    "typescript": "const a: number = 1;\n",
    "json": '{"a": [1, null]}\n',
    "yaml": "a: &x [1]\nb: *x\n---\nc: !unknown 1\n",
    "toml": 'a = 1\n[b]\nc = "d"\n',
    "bash": "if true; then\n  echo a\nfi\n",
    "go": "package main\n\nfunc f() {}\n",
    "rust": "fn f() { let a = 1; }\n",
    "css": "a { color: red; }\n",
}


class NoRuff(RuffChecker):
    def find(self) -> str | None:
        return None


class NoNode(NodeChecker):
    def find(self) -> str | None:
        return None


@pytest.fixture
def validator(
    tmp_path: Path, jp_asyncio_loop: asyncio.AbstractEventLoop
) -> Iterator[CodeValidator]:
    made = CodeValidator(Checkers.of(tmp_path, os.environ), LIMIT_S)
    yield made
    jp_asyncio_loop.run_until_complete(made.aclose())


@pytest.fixture
def bare(tmp_path: Path, jp_asyncio_loop: asyncio.AbstractEventLoop) -> Iterator[CodeValidator]:
    """Without the programs that may be missing."""
    tools = Checkers(NoRuff(tmp_path, {}), NoNode(tmp_path, {}), SyntaxClient())
    made = CodeValidator(tools, LIMIT_S)
    yield made
    jp_asyncio_loop.run_until_complete(made.aclose())


def notebook(language: str, *sources: str) -> str:
    cells: list[object] = [{"cell_type": "markdown", "metadata": {}, "source": "# Title"}]
    cells += [
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": each,
        }
        for each in sources
    ]
    kernel = {"kernelspec": {"name": language, "language": language, "display_name": language}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": kernel, "cells": cells})


@pytest.mark.parametrize("language", BROKEN)
async def test_broken_code_has_an_error_at_its_line(
    validator: CodeValidator, bare: CodeValidator, language: str
) -> None:
    code, line = BROKEN[language]
    for one in (validator, bare):
        found = await one.validate(code, language)
        assert not found["valid"], found
        assert found["diagnostics"][0]["rule"] == "syntax"
        assert found["diagnostics"][0]["line"] == line, found
        assert all((found["tool"], found["tool_version"])), found


@pytest.mark.parametrize("language", SOUND)
async def test_sound_code_is_valid(
    validator: CodeValidator, bare: CodeValidator, language: str
) -> None:
    for one in (validator, bare):
        found = await one.validate(SOUND[language], language)
        assert found["valid"], found
        assert found["diagnostics"] == []


async def test_rules_of_python_are_ruffs(validator: CodeValidator) -> None:
    code = "import os\n\nprint(unknown)\n"
    unasked = await validator.validate(code, "py")
    severities = {each["rule"]: each["severity"] for each in unasked["diagnostics"]}
    assert severities == {"F401": "warning", "F821": "error"}
    asked = await validator.validate(code, "python", ["F401"])
    assert not asked["valid"]
    (unused,) = asked["diagnostics"]
    assert (unused["line"], unused["column"], unused["end_column"]) == (1, 8, 10)
    assert unused["fix"]["is_safe"]
    assert unused["fix"]["edits"][0]["end_line"] == 2
    assert (asked["tool"], asked["left_out"]) == ("ruff", 0)


@pytest.mark.parametrize(
    "rules", [["F401", "XX1"], ["--fix"], ["F401,E5"], [""], ["f401"], ["FURB101"], ["@x"]]
)
async def test_an_unknown_rule_is_named(validator: CodeValidator, rules: list[str]) -> None:
    with pytest.raises(InvalidParams, match="rules") as raised:
        await validator.validate("x = 1\n", "python", rules)
    assert raised.value.details["path"] == f"$.rules[{len(rules) - 1}]"


async def test_what_is_missing_is_said_with_a_remedy(bare: CodeValidator) -> None:
    with pytest.raises(Unsupported, match="pip install ruff"):
        await bare.validate("x = 1\n", "python", ["F401"])
    with pytest.raises(Unsupported, match="ESLint"):
        await bare.validate("x = 1\n", "javascript", ["no-unused-vars"])
    with pytest.raises(InvalidParams, match="rules"):
        await bare.validate("{}", "json", ["x"])


async def test_jsx_is_javascript(validator: CodeValidator) -> None:
    found = await validator.validate("const a = <div>hello</div>;\n", "javascript")
    assert found["valid"], found
    assert found["tool"] == "tree-sitter"


async def test_a_script_and_a_module_are_both_javascript(validator: CodeValidator) -> None:
    for code in ("with (a) { b }\n", "export default 1;\n"):
        assert (await validator.validate(code, "js"))["valid"], code


async def test_a_notebook_is_checked_cell_by_cell(
    validator: CodeValidator, bare: CodeValidator
) -> None:
    sound = notebook(
        "python", "%matplotlib inline\nimport os\n!ls", "print(await os.x())", "%%bash\nif"
    )
    broken = notebook("python", "x = 1", "y = 2\ndef f(:\n")
    for one in (validator, bare):
        found = await one.validate(sound, "notebook")
        assert found["valid"], found
        found = await one.validate(broken, "ipynb")
        assert not found["valid"]
        assert (found["diagnostics"][0].get("cell"), found["diagnostics"][0]["line"]) == (3, 2)
    julia = await validator.validate(notebook("julia", "f(x) = x", "function ("), "notebook")
    assert [each.get("cell") for each in julia["diagnostics"]][:1] == [3]
    for text in ("{}", "[1]", '{"cells": 1, "nbformat": 99}', "{"):
        assert not (await validator.validate(text, "notebook"))["valid"], text
    with pytest.raises(Unsupported, match="brainfuck"):
        await validator.validate(notebook("brainfuck", "+"), "notebook")


async def test_nothing_is_executed(validator: CodeValidator, tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    touching = f"import pathlib\n\npathlib.Path({str(mark)!r}).touch()\n"
    script = f'require("fs").writeFileSync({json.dumps(str(mark))}, "")\n'
    module = f'import fs from "fs";\nfs.writeFileSync({json.dumps(str(mark))}, "");\n'
    tagged = f"a: !!python/object/apply:os.system ['touch {mark}']\n"
    for code, language in (
        (touching, "python"),
        (notebook("python", touching, f"!touch {mark}"), "notebook"),
        (script, "javascript"),
        (module, "javascript"),
        (tagged, "yaml"),
        (f"touch {mark}\n", "bash"),
    ):
        assert (await validator.validate(code, language))["valid"], (code, language)
    assert not mark.exists()


async def test_programs_of_the_repository_are_not_run(tmp_path: Path) -> None:
    mark, folder = tmp_path / "executed", tmp_path / "repository" / "bin"
    folder.mkdir(parents=True)
    for name in ("ruff", "node"):
        (folder / name).write_text(f"#!/bin/sh\ntouch {mark}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    environ = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    made = CodeValidator(Checkers.of(tmp_path / "repository", environ), LIMIT_S)
    try:
        await made.validate("x = 1\n", "python")
        await made.validate("x = 1\n", "javascript")
    finally:
        await made.aclose()
    assert not mark.exists()


async def is_valid(validator: CodeValidator, code: str, language: str) -> bool:
    """Tell whether code is valid; code that its parser can't stand isn't."""
    with suppress(Unsupported):
        return (await validator.validate(code, language))["valid"]
    return False


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("[" * 200_000, "json"),
        ("(" * 100_000, "python"),
        ("[" * 200_000, "yaml"),
        ("a = " + "[" * 100_000, "toml"),
        ("(" * 200_000, "rust"),
        ("&a [*a, *a]\n" * 10, "yaml"),
        ("\x00" * 100, "python"),
        ("\ud800", "python"),
        ("\ud800", "go"),
    ],
    ids=["json", "python", "yaml", "toml", "rust", "aliases", "null", "surrogate", "go"],
)
async def test_hostile_code_ends_in_an_answer(
    validator: CodeValidator, bare: CodeValidator, code: str, language: str
) -> None:
    for one in (validator, bare):
        assert not await is_valid(one, code, language)
    assert (await bare.validate("x = 1\n", "python"))["valid"]


async def test_limits_are_said(validator: CodeValidator) -> None:
    with pytest.raises(TooLarge, match="1,000,000"):
        await validator.validate("x" * (MAX_CHARACTERS + 1), "python")
    with pytest.raises(InvalidParams, match="200"):
        await validator.validate("x", "python", ["F401"] * (MAX_RULES + 1))
    with pytest.raises(InvalidParams, match="python, javascript") as raised:
        await validator.validate("x", "klingon")
    assert raised.value.details["path"] == "$.language"
    many = await validator.validate("\n".join(f"print(a{n})" for n in range(700)), "python")
    assert (len(many["diagnostics"]), many["left_out"]) == (500, 200)


class Stuck(SyntaxClient):
    async def start(self) -> None:
        pass

    async def find(self, language: str, text: str, limit_s: float) -> Findings:
        raise TimedOut(f"no answer in {limit_s} s to {language} {text}")


async def test_a_check_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    tools = Checkers(NoRuff(tmp_path, {}), NoNode(tmp_path, {}), Stuck())
    made = CodeValidator(tools)
    with pytest.raises(TimedOut):
        await made.validate("{}", "json")
    await made.aclose()


async def test_each_language_has_a_parser(bare: CodeValidator) -> None:
    for language in KNOWN:
        if language != "notebook":
            assert (await bare.validate("\n", language))["tool"] or language == "json"
