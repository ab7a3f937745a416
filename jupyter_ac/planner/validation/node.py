"""Checks JavaScript with `node --check`, which compiles the code and doesn't run it.

Nothing says whether code is a module or a script: it is valid if it is valid as either.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from jupyter_ac.errors import Unsupported
from jupyter_ac.planner.validation.checker_process import (
    CheckerOutput,
    find_program,
    run_checker,
)
from jupyter_ac.planner.validation.diagnostics import Diagnostic, Findings, syntax_error

_KINDS: Final = ("module", "commonjs")
_PLACE: Final = re.compile(r"^\[stdin\]:(\d+)$", re.MULTILINE)
_CARET: Final = re.compile(r"^([ \t]*)\^+[ \t]*$", re.MULTILINE)
_ERROR: Final = re.compile(r"^SyntaxError: (.*)$", re.MULTILINE)
_VERSION: Final = re.compile(r"^Node\.js v(\S+)", re.MULTILINE)

JSX: Final = "Unexpected token '<'"
"""How node refuses JSX, which it can't parse."""


class NodeChecker:
    """Runs node.

    Args:
        root: top of the working tree, whose programs aren't run.
        environ: of this process.
    """

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._root = root
        self._environ = environ

    def find(self) -> str | None:
        """Return the path of the program; None when it isn't installed. Looks at the disk."""
        return find_program("node", self._root, self._environ)

    async def check(self, program: str, code: str, limit_s: float) -> Findings:
        """Check code.

        Args:
            program: from `find`.
            code: of a file.
            limit_s: seconds for each of two runs.

        Raises:
            TimedOut, TooLarge, Unsupported: as `run_checker`.
        """
        faults: list[Diagnostic] = []
        version = ""
        for kind in _KINDS:
            argv = [program, "--check", f"--input-type={kind}", "-"]
            output = await run_checker(argv, code, limit_s)
            if output.exit_code == 0:
                return Findings("node", version)
            faults.append(_fault(output))
            found = _VERSION.search(output.stderr)
            version = found[1] if found else version
        # The kind that it is gets further than the one that it isn't.
        return Findings("node", version, [max(faults, key=_place)])


def _fault(output: CheckerOutput) -> Diagnostic:
    error, place = _ERROR.search(output.stderr), _PLACE.search(output.stderr)
    if error is None:
        reason = output.stderr.strip().splitlines() or ["no reason given"]
        raise Unsupported(f"node can't check the code: {reason[0][:300]}")
    caret = _CARET.search(output.stderr)
    line = int(place[1]) if place else 1
    return syntax_error(error[1], line, len(caret[1]) + 1 if caret else 1)


def _place(fault: Diagnostic) -> tuple[int, int]:
    return fault["line"], fault["column"]
