import itertools
from collections.abc import Callable

import pytest

from jupyter_ac.errors import Conflict, InvalidParams, TooLarge
from jupyter_ac.execution.cell_runs import (
    ENDS,
    MAX_CODE_CHARS,
    MAX_NOTEBOOK_CHARS,
    CellRequest,
    CellRun,
    RunState,
    now_ms,
)
from jupyter_ac.ids import Identity

ADA = Identity("ada")
POSSIBLE = {
    (RunState.WAITING, RunState.RUNNING),
    (RunState.WAITING, RunState.REFUSED),
    *((RunState.RUNNING, end) for end in ENDS - {RunState.REFUSED}),
}


def _in_state(state: RunState) -> CellRun:
    run = CellRun.of(CellRequest("a.ipynb", "k1", "1"), ADA)
    if state not in {RunState.WAITING, RunState.REFUSED}:
        run = run.moved(RunState.RUNNING)
    return run if run.state is state else run.moved(state)


@pytest.mark.parametrize(("before", "after"), list(itertools.product(RunState, RunState)))
def test_a_state_follows_only_where_it_may(before: RunState, after: RunState) -> None:
    run = _in_state(before)
    if (before, after) in POSSIBLE:
        assert run.moved(after, "why").reason == "why"
    else:
        with pytest.raises(Conflict):
            run.moved(after)


@pytest.mark.parametrize(
    ("made", "error"),
    [
        (lambda: CellRequest("a", "", "1"), InvalidParams),
        (lambda: CellRequest("a", "../x", "1"), InvalidParams),
        (lambda: CellRequest("a", "k" * 129, "1"), InvalidParams),
        (lambda: CellRequest("a", "k1", " \n"), InvalidParams),
        (lambda: CellRequest("a", "k1", "x" * (MAX_CODE_CHARS + 1)), TooLarge),
        (lambda: CellRequest("x" * (MAX_NOTEBOOK_CHARS + 1), "k1", "1"), TooLarge),
        (lambda: CellRequest("a", "k1", "1", 0.0), InvalidParams),
        (lambda: CellRequest("a", "k1", "1", 601.0), InvalidParams),
        (lambda: CellRequest("a", "k1", "1", float("nan")), InvalidParams),
        (lambda: CellRun.of(CellRequest("a", "k1", "\ud800"), ADA), InvalidParams),
    ],
)
def test_wrong_values_are_refused(made: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        made()


def test_the_row_says_what_happened_and_when() -> None:
    waiting = CellRun.of(CellRequest("a.ipynb", "k1", "1"), ADA)
    row = waiting.row()
    assert (row["status"], row["started_at"], row["duration_s"]) == ("waiting", "", None)
    assert row["sha256"] == "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
    assert row["time_limit_s"] == 60
    running = waiting.moved(RunState.RUNNING)
    assert running.row()["duration_s"] is None
    ended = running.moved(RunState.OK)
    assert ended.has_ended
    row = ended.row()
    assert row["duration_s"] == (ended.ended_ms - ended.started_ms) / 1000
    assert row["started_at"].endswith("+00:00")
    assert waiting.moved(RunState.REFUSED).row()["duration_s"] is None


def test_runs_have_names_of_their_own() -> None:
    request = CellRequest("", "k1", "1")
    assert CellRun.of(request, ADA).run_id != CellRun.of(request, ADA).run_id
    assert now_ms() >= CellRun.of(request, ADA).requested_ms - 1000
