"""Checks Python, and notebooks of Python, with ruff: `--isolated`, the code on its input."""

import asyncio
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.errors import InvalidParams, Unsupported
from jupyter_ac.planner.validation.checker_process import find_program, run_checker
from jupyter_ac.planner.validation.diagnostics import (
    SYNTAX,
    Diagnostic,
    Findings,
    Fix,
    FixEdit,
    Severity,
)

DEFAULT_RULES: Final = ("E4", "E7", "E9", "F")
"""Without rules of the caller's: ruff's own choice of many years."""

MISSING: Final = (
    "ruff isn't installed, which checks rules of Python. Install it into the environment of "
    "Jupyter (`pip install ruff`), or leave `rules` empty: then the syntax alone is checked."
)

_RULE: Final = re.compile(r"[A-Z]{1,12}[0-9]{0,6}", re.ASCII)
_UNKNOWN: Final = re.compile(r"(?:[Uu]nknown rule selector|invalid value) [`']([^`']*)[`']")
_IDLE: Final = re.compile(r"Selection `([^`]*)` has no effect")
_FATAL: Final = re.compile(r"E9\d\d|F63\d|F7\d\d|F82\d", re.ASCII)
"""What fails when it runs, as ruff's documentation has it."""

_FAILED: Final = 2
_NEWEST_TARGET: Final = (3, 13)
"""Of the oldest ruff that is supported."""


class RuffChecker:
    """Runs ruff.

    Args:
        root: top of the working tree, whose programs aren't run.
        environ: of this process.
    """

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._root = root
        self._environ = environ
        self._versions: dict[tuple[str, int], str] = {}

    def find(self) -> str | None:
        """Return the path of the program; None when it isn't installed. Looks at the disk."""
        return find_program("ruff", self._root, self._environ)

    async def check(
        self, program: str, code: str, rules: Sequence[str], limit_s: float, *, is_notebook: bool
    ) -> Findings:
        """Check code.

        Args:
            program: from `find`.
            code: of a module, or a notebook's JSON.
            rules: codes such as `F401` or `E5`; none: the usual ones.
            limit_s: seconds for the check.
            is_notebook: whether it is a notebook.

        Raises:
            InvalidParams: ruff has no such rule.
            TimedOut, TooLarge, Unsupported: as `run_checker`.
        """
        require_rules(rules)
        target = min(sys.version_info[:2], _NEWEST_TARGET)
        argv = [
            *(program, "check", "--isolated", "--no-cache", "--output-format", "json"),
            *("--target-version", f"py{target[0]}{target[1]}"),
            *("--select", ",".join(rules or DEFAULT_RULES)),
            *("--stdin-filename", "code.ipynb" if is_notebook else "code.py", "-"),
        ]
        output = await run_checker(argv, code, limit_s)
        _refuse_rules(output.stderr, rules)
        found = _rows(output.stdout)
        if output.exit_code >= _FAILED or output.exit_code < 0 or found is None:
            reason = output.stderr.strip().splitlines() or ["no reason given"]
            raise Unsupported(f"ruff failed: {reason[-1][:300]}")
        diagnostics = [_diagnostic(row, is_asked=bool(rules)) for row in found]
        return Findings("ruff", await self._version(program, limit_s), diagnostics)

    async def _version(self, program: str, limit_s: float) -> str:
        key = program, await asyncio.to_thread(_changed_ns, program)
        if key not in self._versions:
            output = await run_checker([program, "--version"], "", limit_s)
            self._versions = {key: output.stdout.strip().removeprefix("ruff ")[:40]}
        return self._versions[key]


def _changed_ns(program: str) -> int:
    return Path(program).stat().st_mtime_ns


def require_rules(rules: Sequence[str]) -> None:
    """Refuse what can't be a rule of ruff's.

    Raises:
        InvalidParams: names the rule.
    """
    for at, rule in enumerate(rules):
        if not _RULE.fullmatch(rule):
            raise _unknown(rule, at)


def _refuse_rules(stderr: str, rules: Sequence[str]) -> None:
    if found := _UNKNOWN.search(stderr):
        raise _unknown(found[1], rules.index(found[1]) if found[1] in rules else 0)
    if found := _IDLE.search(stderr):
        at = rules.index(found[1]) if found[1] in rules else 0
        raise InvalidParams(
            f"rules: {found[1]} is a preview rule of ruff's, which can't be used; leave it out.",
            {"path": f"$.rules[{at}]"},
        )


def _unknown(rule: str, at: int) -> InvalidParams:
    return InvalidParams(
        f"rules: ruff has no rule {rule[:60]!r}; its rules are named like F401 or E5.",
        {"path": f"$.rules[{at}]"},
    )


def _rows(stdout: str) -> list[Mapping[str, object]] | None:
    try:
        found = json.loads(stdout)
    except (ValueError, RecursionError):
        return None
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else None


def _diagnostic(row: Mapping[str, object], *, is_asked: bool) -> Diagnostic:
    """Convert one of ruff's rows; a finding of a rule that the caller named is an error."""
    code = row.get("code")
    is_syntax = not isinstance(code, str) or code in {"invalid-syntax", "E999"}
    rule = SYNTAX if is_syntax or not isinstance(code, str) else code
    is_error = is_syntax or is_asked or _FATAL.fullmatch(rule) is not None
    severity: Severity = "error" if is_error else "warning"
    line, column = _position(row.get("location"))
    end_line, end_column = _position(row.get("end_location"))
    found = Diagnostic(
        rule=rule,
        severity=severity,
        message=str(row.get("message", "")),
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
    )
    cell, fix = row.get("cell"), row.get("fix")
    if isinstance(cell, int):
        found["cell"] = cell
    if isinstance(fix, dict):
        found["fix"] = _fix(fix)
    return found


def _position(place: object) -> tuple[int, int]:
    members = place if isinstance(place, dict) else {}
    row, column = members.get("row"), members.get("column")
    return (row if isinstance(row, int) else 1), (column if isinstance(column, int) else 1)


def _fix(fix: Mapping[str, object]) -> Fix:
    edits = fix.get("edits")
    return Fix(
        message=str(fix.get("message") or ""),
        is_safe=fix.get("applicability") == "safe",
        edits=[_edit(each) for each in edits if isinstance(each, dict)]
        if isinstance(edits, list)
        else [],
    )


def _edit(edit: Mapping[str, object]) -> FixEdit:
    line, column = _position(edit.get("location"))
    end_line, end_column = _position(edit.get("end_location"))
    return FixEdit(
        content=str(edit.get("content") or ""),
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
    )
