"""The `syntax` worker: finds syntax errors of code that may be hostile; nothing is executed.

Code that needs too much memory or time, or on which a grammar crashes, ends the process.
"""

import resource
import signal
import sys
from importlib.metadata import version
from typing import Final, TypedDict

from jupyter_ac.errors import Unsupported
from jupyter_ac.index.extraction.syntax_errors import SyntaxFault, syntax_errors
from jupyter_ac.index.languages.registry import language_named
from jupyter_ac.planner.validation.data_parsers import PARSERS
from jupyter_ac.planner.validation.diagnostics import Diagnostic, syntax_error
from jupyter_ac.rpc.methods import Access, method
from jupyter_ac.worker.jobs import Jobs

_TEXT_S: Final = 8.0
"""Processor time for one text."""

_MEMORY_BYTES: Final = 1 << 30


class SyntaxFindings(TypedDict):
    """What was found in one text.

    Attributes:
        tool: what has looked.
        tool_version: of it.
        diagnostics: in order.
    """

    tool: str
    tool_version: str
    diagnostics: list[Diagnostic]


class SyntaxErrors:
    """Finds the syntax errors of texts."""

    @method(Access.READ)
    def find(self, language: str, text: str) -> SyntaxFindings:
        """Find syntax errors.

        Args:
            language: its name in the index.
            text: of a file or a cell.

        Raises:
            Unsupported: there is no parser for the language.
        """
        # The kernel ends this process, also in the middle of a grammar's own code.
        signal.setitimer(signal.ITIMER_VIRTUAL, _TEXT_S)
        try:
            return _find(language, text)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)


def _find(language: str, text: str) -> SyntaxFindings:
    if (parser := PARSERS.get(language)) is not None:
        fault = parser.find(text)
        found = [] if fault is None else [fault]
        return SyntaxFindings(tool=parser.tool, tool_version=parser.version, diagnostics=found)
    known = language_named(language)
    faults = None if known is None else syntax_errors(known, text)
    if faults is None:
        raise Unsupported(
            f"There is no parser for {language[:60]}; install `jupyter-ac[r]` if that is R."
        )
    return SyntaxFindings(
        tool="tree-sitter",
        tool_version=version("tree-sitter"),
        diagnostics=[_diagnostic(fault) for fault in faults],
    )


def _diagnostic(fault: SyntaxFault) -> Diagnostic:
    found = syntax_error(fault.message, fault.line, fault.column)
    found["end_line"], found["end_column"] = fault.end_line, fault.end_column
    return found


def part(_jobs: Jobs) -> SyntaxErrors:
    """Create the part that a worker of this kind serves."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    return SyntaxErrors()
