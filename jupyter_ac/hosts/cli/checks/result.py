"""The result of one check."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from jupyter_ac.hosts.cli.checks.context import CheckContext


class CheckState(StrEnum):
    """The severity of a result."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the doctor's.

    Attributes:
        state: how it is.
        text: what was found.
        remedy: what to do; "" when nothing is to be done.
        details: further lines.
    """

    state: CheckState
    text: str
    remedy: str = ""
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    Attributes:
        name: in front of what was found.
        look: looks; whatever it raises becomes a finding.
    """

    name: str
    look: Callable[[CheckContext], Awaitable[CheckResult]]


def ok(text: str, *details: str) -> CheckResult:
    """Create a result without problems."""
    return CheckResult(CheckState.OK, text, details=details)


def warn(text: str, remedy: str, *details: str) -> CheckResult:
    """Create a result with a warning."""
    return CheckResult(CheckState.WARN, text, remedy, details)


def fail(text: str, remedy: str, *details: str) -> CheckResult:
    """Create a result with a failure."""
    return CheckResult(CheckState.FAIL, text, remedy, details)
