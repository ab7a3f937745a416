"""What is known of the tests of a repository: their order, outcomes and outputs.

Each change has a number, so that a reader who knows all changes up to one gets the rest: a test
that begins and ends between two looks is told once. Belongs to one event loop.
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Container, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, cast, get_args

from jupyter_ac.suite_rows import Outcome, OutcomeRow, SuiteNews, SuiteRun, SuiteState

MAX_TESTS: Final = 20_000
MAX_NEWS: Final = 1000
"""Tests in one answer."""

MAX_OUTPUT_CHARS: Final = 16_000_000
"""Of all tests together; the oldest outputs are forgotten."""

MAX_ID_CHARS: Final = 2000

ACTIVE: Final[frozenset[SuiteState]] = frozenset({"asking", "running"})

_FORGOTTEN: Final = "The output is no longer kept; run the test again."
_OUTCOMES: Final = frozenset(get_args(Outcome))


@dataclass(slots=True)
class _Test:
    at: int
    version: int = 0
    outcome: Outcome = ""
    duration_ms: int = 0
    has_output: bool = False


class Outputs:
    """Outputs of tests; all together are bounded, and the oldest are forgotten."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._chars = 0

    def get(self, name: str) -> str:
        """Return an output; "" if there is none, any more or at all."""
        return self._texts.get(name, "")

    def put(self, name: str, output: str) -> None:
        """Keep an output in the place of an earlier one; "" for none."""
        self._chars -= len(self._texts.pop(name, ""))
        if output:
            self._texts[name] = output
            self._chars += len(output)
        while self._chars > MAX_OUTPUT_CHARS:
            _, oldest = self._texts.popitem(last=False)
            self._chars -= len(oldest)

    def keep_only(self, names: Container[str]) -> None:
        """Forget those of tests that are no more."""
        for name in [one for one in self._texts if one and one not in names]:
            self.put(name, "")


class OutcomeBoard:
    """The tests of one repository, as one person knows them.

    Attributes:
        version: the number of the last change.
        run: the last run; None before one.
        outputs: of the tests by their ids, and of pytest itself as "".
    """

    def __init__(self) -> None:
        self.version = 0
        self.run: SuiteRun | None = None
        self.outputs = Outputs()
        self._generation = _new_generation()
        self._tests: OrderedDict[str, _Test] = OrderedDict()
        """The one that has changed last is the last one."""
        self._left_out = 0
        self._changed = asyncio.Event()

    @property
    def is_active(self) -> bool:
        """Whether a run waits for consent or runs."""
        return self.run is not None and self.run["state"] in ACTIVE

    def begin(self, run: SuiteRun) -> None:
        """Note that a run begins."""
        self.run = run
        self.outputs.put("", "")
        self._touch()

    def advance(
        self,
        state: SuiteState,
        message: str = "",
        duration_ms: int | None = None,
        command: str | None = None,
    ) -> None:
        """Note how far the run is; at its end no test waits any more."""
        if self.run is None:
            return
        self.run = {**self.run, "state": state, "message": message, "duration_ms": duration_ms}
        if command is not None:
            self.run["command"] = command
        if state not in ACTIVE:
            for name in [n for n, t in self._tests.items() if t.outcome in {"waiting", "running"}]:
                self._set(name, outcome="")
        self._touch()

    def expect(self, names: Iterable[str], *, are_all: bool, surplus: int = 0) -> None:
        """Note the tests that were found.

        Args:
            names: their ids, in order.
            are_all: there are no others in the repository; those that have gone are forgotten.
            surplus: how many more there are.
        """
        unique = dict.fromkeys(name[:MAX_ID_CHARS] for name in names)
        if not are_all:
            for name in unique:
                self._add(name)
        else:
            before, self._tests = self._tests, OrderedDict()
            self._generation, self._left_out = _new_generation(), 0
            for name in unique:
                if self._add(name) and (known := before.get(name)) is not None:
                    test = self._tests[name]
                    test.outcome, test.duration_ms = known.outcome, known.duration_ms
                    test.has_output = known.has_output
            self.outputs.keep_only(self._tests)
        self._left_out += surplus
        self._touch()

    def await_tests(self, names: Iterable[str]) -> None:
        """Note that the run comes to these tests."""
        for name in names:
            self._set(name, outcome="waiting")
            # Its file can be collected now.
            file = name.partition("::")[0]
            if file != name and file in self._tests and self._tests[file].outcome:
                self._set(file, outcome="", has_output=False)
                self.outputs.put(file, "")
        self._touch()

    def start_test(self, name: str) -> None:
        """Note that a test runs now."""
        self._set(name, outcome="running")
        self._touch()

    def end_test(self, name: str, outcome: str, duration_ms: int, output: str) -> None:
        """Note how a test has ended, or a file that can't be collected."""
        known = cast("Outcome", outcome) if outcome in _OUTCOMES else "error"
        if self._set(name, outcome=known, duration_ms=duration_ms, has_output=bool(output)):
            self.outputs.put(name[:MAX_ID_CHARS], output)
        self._touch()

    def output(self, name: str) -> str | None:
        """Return a test's output, of pytest for ""; None: there is no such test."""
        if name and name not in self._tests:
            return None
        had_one = bool(name) and self._tests[name].has_output
        return self.outputs.get(name) or (_FORGOTTEN if had_one else "")

    def news(self, generation: str, version: int) -> SuiteNews:
        """Return what has changed since a version; all, if the generation is another one."""
        since = version if generation == self._generation else 0
        newer: list[str] = []
        for name in reversed(self._tests):
            if self._tests[name].version <= since:
                break
            newer.append(name)
        chosen = newer[::-1][:MAX_NEWS]
        is_more = len(newer) > MAX_NEWS
        return {
            "generation": self._generation,
            "version": self._tests[chosen[-1]].version if is_more else self.version,
            "run": self.run,
            "tests": [self._row(name) for name in chosen],
            "is_more": is_more,
            "left_out": self._left_out,
        }

    async def wait(self, generation: str, version: int, limit_s: float) -> bool:
        """Wait until something has changed since a version, for so long; returns if it waited."""
        if generation != self._generation or version != self.version:
            return False
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self._changed.wait()
        return True

    def _row(self, name: str) -> OutcomeRow:
        test = self._tests[name]
        return {
            "id": name,
            "at": test.at,
            "outcome": test.outcome,
            "duration_ms": test.duration_ms,
            "has_output": test.has_output,
        }

    def _add(self, name: str) -> bool:
        """Make a test known; returns False when there are too many."""
        if name in self._tests:
            return True
        if len(self._tests) >= MAX_TESTS:
            self._left_out += 1
            return False
        self.version += 1
        self._tests[name] = _Test(len(self._tests), self.version)
        return True

    def _set(
        self,
        name: str,
        *,
        outcome: Outcome,
        duration_ms: int | None = None,
        has_output: bool | None = None,
    ) -> bool:
        name = name[:MAX_ID_CHARS]
        if not self._add(name):
            return False
        test = self._tests[name]
        self.version += 1
        test.version, test.outcome = self.version, outcome
        if duration_ms is not None:
            test.duration_ms = duration_ms
        if has_output is not None:
            test.has_output = has_output
        self._tests.move_to_end(name)
        return True

    def _touch(self) -> None:
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()


def _new_generation() -> str:
    return secrets.token_hex(4)
