"""What a check of code finds, and the result that is sent for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict

Severity: TypeAlias = Literal["error", "warning", "info"]

SYNTAX: Final = "syntax"
"""The rule of a diagnostic that says the code can't be parsed."""

MAX_DIAGNOSTICS: Final = 500
"""More are only counted."""


class FixEdit(TypedDict):
    """A piece of the code that is replaced; lines and columns from 1, the end exclusive."""

    content: str
    line: int
    column: int
    end_line: int
    end_column: int


class Fix(TypedDict):
    """How a tool would repair what it has found.

    Attributes:
        message: what is done.
        is_safe: whether the tool says that the meaning stays.
        edits: in order.
    """

    message: str
    is_safe: bool
    edits: list[FixEdit]


class Diagnostic(TypedDict):
    """One finding.

    Attributes:
        rule: its name with the tool that found it; `syntax` where the code can't be parsed.
        severity: an `error` makes the code invalid.
        message: of the tool.
        line: from 1; in a notebook of the cell.
        column: in characters, from 1.
        end_line: of the first character behind it.
        end_column: same.
        cell: of a notebook, from 1, all kinds counted.
        fix: where the tool offers one.
    """

    rule: str
    severity: Severity
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: NotRequired[int]
    fix: NotRequired[Fix]


class ValidationResult(TypedDict):
    """The result of a check.

    Attributes:
        valid: there is no diagnostic with the severity `error`.
        diagnostics: by their places, at most 500.
        left_out: how many more there are.
        tool: what has checked it.
        tool_version: of the tool, or "".
        elapsed_ms: milliseconds that it took.
    """

    valid: bool
    diagnostics: list[Diagnostic]
    left_out: int
    tool: str
    tool_version: str
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class Findings:
    """What one tool has found.

    Attributes:
        tool: its name.
        tool_version: or "".
        diagnostics: in any order.
    """

    tool: str
    tool_version: str
    diagnostics: Sequence[Diagnostic] = ()

    def result(self, elapsed_s: float) -> ValidationResult:
        """Return what is sent.

        Args:
            elapsed_s: seconds that the check took.
        """
        found = sorted(self.diagnostics, key=_place)
        return ValidationResult(
            valid=all(each["severity"] != "error" for each in found),
            diagnostics=found[:MAX_DIAGNOSTICS],
            left_out=max(0, len(found) - MAX_DIAGNOSTICS),
            tool=self.tool,
            tool_version=self.tool_version,
            elapsed_ms=round(elapsed_s * 1000),
        )


def syntax_error(message: str, line: int = 1, column: int = 1) -> Diagnostic:
    """Return the diagnostic of code that can't be parsed; at one place, both from 1."""
    line, column = max(1, line), max(1, column)
    return Diagnostic(
        rule=SYNTAX,
        severity="error",
        message=message,
        line=line,
        column=column,
        end_line=line,
        end_column=column,
    )


def _place(found: Diagnostic) -> tuple[int, int, int]:
    return found.get("cell", 0), found["line"], found["column"]
