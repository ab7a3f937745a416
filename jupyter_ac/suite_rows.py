"""Wire types of test suites: what a run of pytest has found, test by test."""

from typing import Literal, TypeAlias, TypedDict

Outcome: TypeAlias = Literal[
    "", "waiting", "running", "passed", "failed", "error", "skipped", "xfailed", "xpassed"
]
"""`""`: it has not run; `waiting`: the present run comes to it; `error`: it failed outside of the
test itself; `xfailed`: it failed as expected; `xpassed`: it passed, and was expected to fail."""

SuiteState: TypeAlias = Literal["asking", "running", "done", "failed", "refused", "stopped"]
"""`asking`: it waits for the user's consent; `done`: pytest came to its end, whatever the outcomes;
`failed`: pytest could not do its work."""

SuiteKind: TypeAlias = Literal["collect", "run"]


class SuiteCommand(TypedDict):
    """How the tests of a repository are run.

    Attributes:
        command: as a line; "" if nothing says how.
        reason: why it is this one, as the end of a sentence; "" if there is none.
        problem: why tests can't be run here, in a sentence; "" if they can.
    """

    command: str
    reason: str
    problem: str


class SuiteRun(TypedDict):
    """A run of pytest.

    Attributes:
        run_id: unique.
        kind: it only finds the tests, or runs them.
        state: how far it is.
        message: how it has ended, or why it could not go on, in a sentence; "" for nothing to say.
        command: as a line; "" before it is known.
        selected: the number of nodes that were asked for; 0: all.
        duration_ms: null before its end.
    """

    run_id: str
    kind: SuiteKind
    state: SuiteState
    message: str
    command: str
    selected: int
    duration_ms: int | None


class OutcomeRow(TypedDict):
    """A test, or a file that can't be collected.

    Attributes:
        id: pytest's, relative to the repository's top folder.
        at: its place in the order of the tests.
        outcome: of its last run.
        duration_ms: of that run.
        has_output: `get_output` has a text of it.
    """

    id: str
    at: int
    outcome: Outcome
    duration_ms: int
    has_output: bool


class SuiteNews(TypedDict):
    """What has changed since a version.

    Attributes:
        generation: another one than before: forget all tests.
        version: for the next call.
        run: the last one; null before one.
        tests: those that have changed, 1000 at most.
        is_more: there are more; ask again.
        left_out: tests beyond the 20,000 that are kept.
    """

    generation: str
    version: int
    run: SuiteRun | None
    tests: list[OutcomeRow]
    is_more: bool
    left_out: int


class OutcomeOutput(TypedDict):
    """What a test has said.

    Attributes:
        id: of the test; "" for pytest itself.
        text: the failure, and what was printed; the middle of a long one is left out.
    """

    id: str
    text: str
