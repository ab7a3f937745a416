"""A plugin of pytest that writes what happens as lines of JSON, each behind a mark.

It runs in the environment of the project, which may be another one than ours: with Python from 3.8
on, pytest from 6 on, and nothing else. `PYTEST_PLUGINS` names it; without the variable that has the
mark it does nothing.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

VARIABLE = "JUPYTER_AC_TEST_REPORT"
MAX_TEXT = 20_000
"""Characters of a test's output."""

BATCH = 500
"""Tests named on one line."""

# Read once: a pytest that a test starts reports to nobody.
_MARK = os.environ.pop(VARIABLE, "")
_LEFT_OUT = "\n[... {} characters are left out ...]\n"
_SEPARATOR = "::"
_STDOUT = 1


class Plugins(Protocol):
    """The plugin manager of pytest."""

    def register(self, plugin: object) -> object:
        """Add a plugin."""

    def hasplugin(self, name: str) -> bool:
        """Return whether there is one of this name."""


class Invocation(Protocol):
    """How pytest was started.

    Attributes:
        dir: in which folder.
    """

    dir: Path


class Config(Protocol):
    """The configuration of pytest."""

    pluginmanager: Plugins
    invocation_params: Invocation


class Item(Protocol):
    """A test."""

    nodeid: str


class Session(Protocol):
    """A session of pytest."""

    items: Sequence[Item]


class Report(Protocol):
    """A report of pytest: of collecting a node, or of a phase of a test."""

    nodeid: str
    outcome: str
    longrepr: object
    sections: Sequence[tuple[str, str]]


class PhaseReport(Report, Protocol):
    """The report of a phase of a test."""

    when: str
    duration: float


def pytest_configure(config: Config) -> None:
    """Begin to report, but not in the workers of pytest-xdist."""
    if not _MARK or hasattr(config, "workerinput"):
        return
    reporter = Reporter(_MARK, config)
    config.pluginmanager.register(reporter)
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(WorkersReporter(reporter))


class Reporter:
    """Reports one session.

    Args:
        mark: stands before each line.
        config: of pytest.
    """

    def __init__(self, mark: str, config: Config) -> None:
        root = getattr(config, "rootpath", None) or getattr(config, "rootdir", "")
        self._mark = mark
        self._root = str(root)
        self._here = str(config.invocation_params.dir)
        self._paths: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._phases: dict[str, list[PhaseReport]] = {}
        self._is_collected = False

    def collected(self, node_ids: Iterable[str]) -> None:
        """Report the tests of the session; only the first call counts."""
        if self._is_collected:
            return
        self._is_collected = True
        names = [self._named(node_id) for node_id in node_ids]
        for at in range(0, len(names), BATCH):
            self._write("tests", ids=names[at : at + BATCH])
        self._write("collected")

    def pytest_collection_finish(self, session: Session) -> None:
        """Report the tests."""
        if self._root != self._here:
            # The id of a test outside of the root lacks its file.
            for item in session.items:
                place = getattr(item, "path", None) or getattr(item, "fspath", "")
                name = item.nodeid.partition(_SEPARATOR)[2]
                self._names[item.nodeid] = f"{self._relative(str(place))}{_SEPARATOR}{name}"
        self.collected(item.nodeid for item in session.items)

    def pytest_collectreport(self, report: Report) -> None:
        """Report a file that can't be collected, or that skips itself."""
        if report.outcome != "passed" and report.nodeid:
            outcome = "error" if report.outcome == "failed" else "skipped"
            self._result(report.nodeid, outcome, 0.0, _texts([report]))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Report that a test begins."""
        self._phases[nodeid] = []
        self._write("running", id=self._named(nodeid))

    def pytest_runtest_logreport(self, report: PhaseReport) -> None:
        """Keep the report of a phase."""
        self._phases.setdefault(report.nodeid, []).append(report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Report how a test has ended."""
        phases = self._phases.pop(nodeid, [])
        # One that failed and is to run again has not ended.
        if phases and not any(phase.outcome == "rerun" for phase in phases):
            seconds = sum(phase.duration for phase in phases)
            self._result(nodeid, outcome_of(phases), seconds, _texts(phases))

    def pytest_internalerror(self, excrepr: object) -> None:
        """Report that pytest itself has failed."""
        self._write("internal", text=shortened(str(excrepr)))

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Report the end."""
        self._write("end", code=int(exitstatus))

    def _result(self, nodeid: str, outcome: str, seconds: float, text: str) -> None:
        self._write(
            "result",
            id=self._named(nodeid),
            outcome=outcome,
            ms=round(1000 * seconds),
            text=shortened(text),
        )

    def _named(self, nodeid: str) -> str:
        """Return a node's id relative to the folder in which pytest was started."""
        if self._root == self._here:
            return nodeid
        known = self._names.get(nodeid)
        if known is None:
            path, separator, rest = nodeid.partition(_SEPARATOR)
            known = f"{self._relative(f'{self._root}/{path}')}{separator}{rest}"
        return known

    def _relative(self, path: str) -> str:
        known = self._paths.get(path)
        if known is None:
            known = self._paths[path] = os.path.relpath(path, self._here).replace(os.sep, "/")
        return known

    def _write(self, kind: str, **values: object) -> None:
        line = f"\n{self._mark}{json.dumps({'kind': kind, **values})}\n".encode("ascii")
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        with suppress(OSError):
            while line:
                line = line[os.write(_STDOUT, line) :]


class WorkersReporter:
    """Reports the tests that pytest-xdist has distributed.

    Args:
        reporter: of the session.
    """

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Report what a worker has found; all find the same."""
        self._reporter.collected(ids)


def outcome_of(phases: Sequence[PhaseReport]) -> str:
    """Return the outcome of a test by the reports of its phases."""
    if any(phase.outcome == "failed" and phase.when == "call" for phase in phases):
        return "failed"
    if any(phase.outcome == "failed" for phase in phases):
        return "error"
    expected = any(hasattr(phase, "wasxfail") for phase in phases)
    if any(phase.outcome == "skipped" for phase in phases):
        return "xfailed" if expected else "skipped"
    return "xpassed" if expected else "passed"


def shortened(text: str) -> str:
    """Return a text without its middle if it is long."""
    if len(text) <= MAX_TEXT:
        return text
    head, tail = MAX_TEXT // 4, MAX_TEXT - MAX_TEXT // 4
    return text[:head] + _LEFT_OUT.format(len(text) - MAX_TEXT) + text[-tail:]


def _texts(reports: Sequence[Report]) -> str:
    """Return why tests failed or were skipped; of those that passed nothing."""
    parts: list[str] = []
    for report in reports:
        if report.outcome == "passed" or not report.longrepr:
            continue
        if isinstance(report.longrepr, tuple):  # path, line and reason of a skip
            parts.append(": ".join(map(str, report.longrepr)))
        else:
            parts.append(str(report.longrepr))
        reason = getattr(report, "wasxfail", "")
        if reason:
            parts.append(f"expected to fail: {reason}")
    if not any(report.outcome == "failed" for report in reports):
        return "\n".join(parts)
    # Each phase has the sections of those before it, too.
    for title, content in reports[-1].sections:
        if content.strip():
            parts.append(f"--- {title} ---\n{content.rstrip()}")
    return "\n".join(parts)
