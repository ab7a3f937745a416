import asyncio

import pytest

from jupyter_ac.agent.suites import board as board_module
from jupyter_ac.agent.suites.board import MAX_NEWS, OutcomeBoard
from jupyter_ac.suite_rows import SuiteRun

RUN = SuiteRun(
    run_id="r",
    kind="run",
    state="running",
    message="",
    command="",
    selected=0,
    duration_ms=None,
)


def ids(board: OutcomeBoard, generation: str = "", version: int = 0) -> list[str]:
    return [row["id"] for row in board.news(generation, version)["tests"]]


def test_only_what_has_changed_is_news() -> None:
    board = OutcomeBoard()
    board.expect(["a", "b", "c"], are_all=True)
    first = board.news("", 0)
    assert [row["id"] for row in first["tests"]] == ["a", "b", "c"]
    assert ids(board, first["generation"], first["version"]) == []
    board.end_test("b", "failed", 5, "why")
    board.start_test("a")
    news = board.news(first["generation"], first["version"])
    assert [(row["id"], row["outcome"], row["at"]) for row in news["tests"]] == [
        ("b", "failed", 1),
        ("a", "running", 0),
    ]
    assert ids(board, "another", news["version"]) == ["c", "b", "a"]


def test_news_comes_in_parts_without_a_gap() -> None:
    board = OutcomeBoard()
    names = [f"t{at}" for at in range(2 * MAX_NEWS + 1)]
    board.expect(names, are_all=True)
    found: list[str] = []
    generation, version, is_more = "", 0, True
    while is_more:
        news = board.news(generation, version)
        generation, version, is_more = news["generation"], news["version"], news["is_more"]
        found += [row["id"] for row in news["tests"]]
    assert found == names
    assert ids(board, generation, version) == []


def test_a_whole_list_forgets_what_has_gone_and_keeps_outcomes() -> None:
    board = OutcomeBoard()
    board.expect(["gone", "kept"], are_all=True)
    board.end_test("gone", "failed", 1, "x")
    board.end_test("kept", "failed", 2, "y")
    before = board.news("", 0)["generation"]
    board.expect(["new", "kept"], are_all=True)
    news = board.news(before, 10_000)
    assert news["generation"] != before
    assert [(row["id"], row["outcome"]) for row in news["tests"]] == [
        ("new", ""),
        ("kept", "failed"),
    ]
    assert board.output("kept") == "y"
    assert board.output("gone") is None


def test_at_the_end_no_test_waits() -> None:
    board = OutcomeBoard()
    board.begin(RUN)
    board.expect(["a", "b", "c"], are_all=True)
    board.await_tests(["a", "b", "c"])
    board.start_test("a")
    board.end_test("b", "passed", 1, "")
    board.advance("stopped", "Stopped.", 7)
    assert not board.is_active
    assert [
        row["outcome"] for row in sorted(board.news("", 0)["tests"], key=lambda r: r["at"])
    ] == [
        "",
        "passed",
        "",
    ]
    assert board.run == {**RUN, "state": "stopped", "message": "Stopped.", "duration_ms": 7}


def test_tests_and_outputs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_module, "MAX_TESTS", 2)
    monkeypatch.setattr(board_module, "MAX_OUTPUT_CHARS", 10)
    board = OutcomeBoard()
    board.expect(["a", "b", "c"], are_all=True, surplus=4)
    board.end_test("c", "failed", 1, "x")
    news = board.news("", 0)
    assert [row["id"] for row in news["tests"]] == ["a", "b"]
    assert news["left_out"] >= 5
    board.end_test("a", "failed", 1, "x" * 8)
    board.end_test("b", "failed", 1, "y" * 8)
    assert board.output("b") == "y" * 8
    assert "no longer kept" in (board.output("a") or "")
    assert board.output("none") is None


def test_an_unknown_outcome_is_an_error() -> None:
    board = OutcomeBoard()
    board.end_test("a", "exploded", 1, "")
    assert board.news("", 0)["tests"][0]["outcome"] == "error"


def test_without_a_run_nothing_advances() -> None:
    board = OutcomeBoard()
    board.advance("done", command="pytest")
    assert board.run is None


async def test_a_reader_waits_for_news() -> None:
    board = OutcomeBoard()
    news = board.news("", 0)
    known = news["generation"], news["version"]
    assert await board.wait(*known, 0)
    waiting = asyncio.create_task(board.wait(*known, 60))
    await asyncio.sleep(0)
    board.begin(RUN)
    assert await waiting
    assert not await board.wait(*known, 60)
    assert not await board.wait("another", board.version, 60)
