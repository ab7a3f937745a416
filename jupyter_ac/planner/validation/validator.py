"""Checks code in any supported language, with the best tool that is there; executes nothing."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from jupyter_ac.errors import InvalidParams, TimedOut, TooLarge, Unsupported
from jupyter_ac.notebook.cells import Notebook, read_notebook
from jupyter_ac.planner.validation.code_languages import (
    JAVASCRIPT,
    KNOWN,
    NOTEBOOK,
    PYTHON,
    language_key,
)
from jupyter_ac.planner.validation.diagnostics import (
    Diagnostic,
    Findings,
    ValidationResult,
    syntax_error,
)
from jupyter_ac.planner.validation.node import JSX, NodeChecker
from jupyter_ac.planner.validation.notebook_cells import code_cells
from jupyter_ac.planner.validation.ruff import MISSING, RuffChecker, require_rules
from jupyter_ac.planner.validation.syntax_client import SyntaxClient

MAX_CHARACTERS: Final = 1_000_000
MAX_RULES: Final = 200
LIMIT_S: Final = 10.0

_SCRIPTS: Final = frozenset({JAVASCRIPT, "typescript", "tsx"})
_LINTER: Final = (
    "{rule} is a rule of ESLint's, whose configuration is code of the project and isn't executed "
    "here. Leave `rules` empty: then the syntax is checked. Or let the agent run the project's own "
    "ESLint as a command."
)


@dataclass(frozen=True, slots=True)
class Checkers:
    """The tools.

    Attributes:
        ruff: for Python.
        node: for JavaScript.
        syntax: for the syntax of all languages.
    """

    ruff: RuffChecker
    node: NodeChecker
    syntax: SyntaxClient

    @classmethod
    def of(cls, root: Path, environ: Mapping[str, str]) -> Self:
        """Make them; nothing is started.

        Args:
            root: top of the working tree, whose programs aren't run.
            environ: of this process.
        """
        return cls(RuffChecker(root, environ), NodeChecker(root, environ), SyntaxClient())


class CodeValidator:
    """Checks code.

    Args:
        checkers: the tools.
        limit_s: seconds for one check.
    """

    def __init__(self, checkers: Checkers, limit_s: float = LIMIT_S) -> None:
        self._checkers = checkers
        self._limit_s = limit_s

    async def validate(
        self, code: str, language: str, rules: Sequence[str] = ()
    ) -> ValidationResult:
        """Check code.

        Args:
            code: of a whole file; of a notebook its JSON.
            language: its name, as in `code_languages`.
            rules: of the tool for the language; their findings are errors. None: the syntax, and
                what the tool usually finds.

        Raises:
            InvalidParams: the language or a rule is unknown.
            TooLarge: the code is longer than a million characters.
            Unsupported: the tool that has these rules isn't there, or can't stand the code.
            TimedOut: it took longer than 10 s.
            NotReady: the parsers can't be started.
        """
        key = language_key(language)
        if len(code) > MAX_CHARACTERS:
            raise TooLarge(f"code may have at most {MAX_CHARACTERS:,} characters; check a part.")
        if len(rules) > MAX_RULES:
            raise InvalidParams(f"rules may have at most {MAX_RULES} entries.", {"path": "$.rules"})
        if key != PYTHON or await asyncio.to_thread(self._checkers.ruff.find) is None:
            # Its start isn't the code's fault: on a busy machine it takes seconds.
            await self._checkers.syntax.start()
        begun_s = time.monotonic()
        try:
            async with asyncio.timeout(self._limit_s):
                findings = await self._findings(key, code, tuple(rules))
        except TimeoutError:
            raise TimedOut(
                f"The check took longer than {self._limit_s:g} s; check a smaller piece of code."
            ) from None
        return findings.result(time.monotonic() - begun_s)

    async def aclose(self) -> None:
        """End the worker; bounded."""
        await self._checkers.syntax.aclose()

    async def _findings(self, key: str, code: str, rules: tuple[str, ...]) -> Findings:
        if key == NOTEBOOK:
            return await self._notebook(code, rules)
        if key == PYTHON:
            return await self._python(code, rules)
        _refuse_rules(key, rules)
        found = await self._syntax(key, code)
        return await self._javascript(code, found) if key == JAVASCRIPT else found

    async def _syntax(self, key: str, code: str) -> Findings:
        return await self._checkers.syntax.find(key, code, self._limit_s)

    async def _python(
        self, code: str, rules: tuple[str, ...], *, is_notebook: bool = False
    ) -> Findings:
        """Check with ruff; without it only the syntax, unless rules are asked for."""
        ruff = self._checkers.ruff
        require_rules(rules)
        program = await asyncio.to_thread(ruff.find)
        if program is not None:
            return await ruff.check(program, code, rules, self._limit_s, is_notebook=is_notebook)
        if rules:
            raise Unsupported(MISSING)
        return await self._syntax(PYTHON, code)

    async def _javascript(self, code: str, parsed: Findings) -> Findings:
        """Check with node, which finds more than the grammar; but JSX it can't parse."""
        node = self._checkers.node
        program = await asyncio.to_thread(node.find)
        if program is None:
            return parsed
        found = await node.check(program, code, self._limit_s)
        is_jsx = any(each["message"] == JSX for each in found.diagnostics)
        return parsed if is_jsx and not parsed.diagnostics else found

    async def _notebook(self, code: str, rules: tuple[str, ...]) -> Findings:
        parsed = await self._syntax("json", code)
        if parsed.diagnostics:
            return parsed
        try:
            notebook = await asyncio.to_thread(read_notebook, code)
        except Unsupported as error:
            return Findings("nbformat", "", [syntax_error(error.message)])
        if notebook.language != PYTHON:
            _refuse_rules(notebook.language, rules)
            return await self._cells(notebook)
        if rules or await asyncio.to_thread(self._checkers.ruff.find) is not None:
            return await self._python(code, rules, is_notebook=True)
        return await self._cells(notebook)

    async def _cells(self, notebook: Notebook) -> Findings:
        """Find the syntax errors of each cell."""
        if notebook.language not in KNOWN:
            raise Unsupported(f"Cells in {notebook.language[:60]!r} can't be checked.")
        last = Findings("nbformat", "")
        diagnostics: list[Diagnostic] = []
        for number, code in await asyncio.to_thread(lambda: list(code_cells(notebook))):
            last = await self._syntax(notebook.language, code)
            diagnostics += [Diagnostic(**each, cell=number) for each in last.diagnostics]
        return Findings(last.tool, last.tool_version, diagnostics)


def _refuse_rules(key: str, rules: Sequence[str]) -> None:
    """Refuse rules of languages whose tool isn't run here.

    Raises:
        Unsupported: the tool would execute code of the project.
        InvalidParams: the language has no rules.
    """
    if not rules:
        return
    if key in _SCRIPTS:
        raise Unsupported(_LINTER.format(rule=repr(rules[0][:60])))
    raise InvalidParams(
        f"rules: there are none for {key}; only its syntax is checked.", {"path": "$.rules[0]"}
    )
