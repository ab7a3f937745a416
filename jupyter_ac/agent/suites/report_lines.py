"""Reads the output of a run of pytest: the lines of our plugin, and what pytest itself says."""

import re
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import orjson

from jupyter_ac.agent.commands.output import plain_output
from jupyter_ac.agent.suites.board import MAX_TESTS, OutcomeBoard
from jupyter_ac.agent.suites.reporter.jupyter_ac_test_report import VARIABLE

PLUGIN: Final = "jupyter_ac_test_report"
FOLDER: Final = Path(__file__).with_name("reporter")
"""Where the plugin lies; the sandbox shows it."""

MAX_LINE_CHARS: Final = 4_000_000
MAX_SAID_CHARS: Final = 20_000
"""Of what pytest says itself, the end."""


def report_variables(mark: str) -> Mapping[str, str]:
    """Return the environment variables by which a pytest reports.

    Args:
        mark: nobody else knows it, so that no test writes such a line by chance.
    """
    return {"PYTHONPATH": str(FOLDER), "PYTEST_PLUGINS": PLUGIN, VARIABLE: mark}


_PROGRESS: Final = re.compile(r"[.sFExXR]?\s*(\[ *\d+%\])?")


class ReportReader:
    """Passes the report of a run on to a board.

    Args:
        mark: of its lines.
        board: is told.
        are_all: the run comes to all tests of the repository.
        will_run: it runs them.

    Attributes:
        exit_code: as the plugin has reported it; None before the end.
        broken: the number of files that can't be collected.
    """

    def __init__(self, mark: str, board: OutcomeBoard, *, are_all: bool, will_run: bool) -> None:
        self.exit_code: int | None = None
        self.broken = 0
        self._mark, self._board = mark, board
        self._are_all, self._will_run = are_all, will_run
        self._rest = ""
        self._names: list[str] = []
        self._surplus = 0
        self._is_collected = False
        self._early: list[Mapping[str, object]] = []
        self._said: deque[str] = deque()
        self._said_chars = 0

    @property
    def said(self) -> str:
        """What pytest has said, without the report."""
        return "\n".join(self._said).strip("\n")

    def take(self, text: str) -> None:
        """Take a piece of the output."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._take_line(line)
        if len(self._rest) > MAX_LINE_CHARS:
            self._keep(self._rest)
            self._rest = ""

    def end(self) -> None:
        """Take the end of the output."""
        if self._rest:
            self._take_line(self._rest)
            self._rest = ""
        self._end_collection()
        self._board.outputs.put("", self.said)

    def _take_line(self, line: str) -> None:
        if not line.startswith(self._mark):
            self._keep(line)
            return
        try:
            found = orjson.loads(line[len(self._mark) :])
        except orjson.JSONDecodeError:
            return
        if isinstance(found, dict):
            self._take_report(found)

    def _take_report(self, found: Mapping[str, object]) -> None:
        kind, name = found.get("kind"), found.get("id")
        if kind == "tests":
            self._add_names(found.get("ids"))
        elif kind == "collected":
            self._is_collected = True
            self._expect()
        elif kind == "running" and isinstance(name, str):
            self._board.start_test(name)
        elif kind == "result" and isinstance(name, str) and name:
            self._result(found)
        elif kind == "internal":
            self._keep(plain_output(_text(found.get("text"))))
        elif kind == "end":
            self.exit_code = _number(found.get("code"))

    def _add_names(self, ids: object) -> None:
        found = [one for one in ids if isinstance(one, str)] if isinstance(ids, list) else []
        room = MAX_TESTS - len(self._names)
        self._names += found[:room]
        self._surplus += len(found[room:])

    def _result(self, found: Mapping[str, object]) -> None:
        # Files that can't be collected are known before the list of tests.
        if not self._is_collected:
            self.broken += found.get("outcome") == "error"
            self._early.append(found)
            del self._early[MAX_TESTS:]
            return
        self._board.end_test(
            _text(found.get("id")),
            _text(found.get("outcome")),
            _number(found.get("ms")),
            plain_output(_text(found.get("text"))),
        )

    def _end_collection(self) -> None:
        """Show what was found, also if pytest has given up."""
        if not self._is_collected and self._early:
            self._is_collected = True
            self._expect()

    def _expect(self) -> None:
        broken = [_text(found.get("id")) for found in self._early]
        names = [*broken, *self._names]
        self._board.expect(names, are_all=self._are_all, surplus=self._surplus)
        if self._will_run:
            self._board.await_tests(self._names)
        early, self._early = self._early, []
        for found in early:
            self._result(found)

    def _keep(self, line: str) -> None:
        # What stands between the lines of the report is the progress, a character for each test.
        is_testing = self._is_collected and self.exit_code is None
        if (is_testing or not self._said) and _PROGRESS.fullmatch(line):
            return
        self._said.append(line[:MAX_SAID_CHARS])
        self._said_chars += len(self._said[-1]) + 1
        while self._said_chars > MAX_SAID_CHARS and len(self._said) > 1:
            self._said_chars -= len(self._said.popleft()) + 1


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
