"""Real runs of pytest, asked for and followed as a panel does."""

import asyncio
from pathlib import Path

import pytest

from jupyter_ac.agent.suites import suite_runs
from jupyter_ac.agent.suites.suite_runs import WantedTests
from jupyter_ac.agent.tool_approvals import Decision
from jupyter_ac.errors import AccessDenied, Busy
from jupyter_ac.ids import Identity
from tests.agent.suites.suite_world import OUTCOMES, suite_world
from tests.chat.memory import ADA

SLOW = """
import pathlib, time

def test_slow():
    pathlib.Path("begun").touch()
    while not pathlib.Path("go").exists():
        time.sleep(0.01)

def test_later():
    pass
"""


async def test_each_outcome_is_told_with_its_output(tmp_path: Path) -> None:
    async with suite_world(tmp_path) as world:
        run = await world.run()
        assert world.outcomes == OUTCOMES
        assert (run["state"], run["message"], run["command"]) == ("done", "", "pytest -q")
        assert run["duration_ms"] is not None
        (question,) = world.questions
        assert question.text == "pytest -q"
        assert "outside of the sandbox" in question.warning
        failure = world.board.output("tests/test_mixed.py::test_wrong") or ""
        assert "assert 'soil' == 'sand'" in failure
        assert "printed before" in failure
        assert "no fixture" in (world.board.output("tests/test_mixed.py::test_errs") or "")
        assert "not today" in (world.board.output("tests/test_mixed.py::test_skipped") or "")
        assert "known" in (world.board.output("tests/test_mixed.py::test_expected") or "")
        assert world.board.output("tests/test_mixed.py::TestShape::test_round") == ""
        assert "1 failed" in (world.board.output("") or "")
        assert [(each["call"]["status"], each["panel"]) for each in world.told] == [
            ("waiting", "Tests"),
            ("running", "Tests"),
            ("done", "Tests"),
        ]


async def test_tests_are_found_without_being_run_and_that_asks_too(tmp_path: Path) -> None:
    async with suite_world(tmp_path) as world:
        run = await world.run(collect=True)
        assert (run["state"], run["kind"]) == ("done", "collect")
        assert list(world.outcomes) == list(OUTCOMES)
        assert set(world.outcomes.values()) == {""}
        (question,) = world.questions
        assert question.text == "pytest -q --collect-only"
        assert "runs the code of their files" in question.why


async def test_chosen_tests_run_and_the_others_keep_their_outcomes(tmp_path: Path) -> None:
    async with suite_world(tmp_path) as world:
        await world.run()
        world.folder.write(
            "tests/test_mixed.py",
            # Of another length: within one second the compiled file counts as that of this one.
            (world.folder.root / "tests/test_mixed.py").read_text().replace('"sand"', '"so" "il"'),
        )
        run = await world.run("tests/test_mixed.py::test_wrong")
        assert run["selected"] == 1
        assert world.outcomes == {**OUTCOMES, "tests/test_mixed.py::test_wrong": "passed"}
        assert world.board.output("tests/test_mixed.py::test_wrong") == ""


async def test_a_refusal_runs_nothing(tmp_path: Path) -> None:
    async with suite_world(tmp_path) as world:
        run = await world.run(decision=Decision(allow=False, text="later"))
        assert run["state"] == "refused"
        assert "later" in run["message"]
        assert world.outcomes == {}


async def test_without_a_page_nobody_can_be_asked(tmp_path: Path) -> None:
    async with suite_world(tmp_path) as world:
        world.runs.is_watched = False
        run = await world.run()
        assert (run["state"], world.outcomes) == ("refused", {})


async def test_during_a_review_nothing_runs(tmp_path: Path) -> None:
    async with suite_world(tmp_path) as world:
        world.runs.is_reviewing = True
        run = await world.run()
        assert run["state"] == "refused"
        assert "under review" in run["message"]
        assert world.questions == []


async def test_what_an_administrator_has_switched_off_is_refused(tmp_path: Path) -> None:
    async with suite_world(tmp_path, disabled=["run_tests"]) as world:
        with pytest.raises(AccessDenied, match="run_tests"):
            world.suites.start(world.runs.conversation, WantedTests("run"))


async def test_a_file_that_cannot_be_collected_is_an_error_until_it_can(tmp_path: Path) -> None:
    files = {"tests/test_a.py": "def test_a(): pass\n", "tests/test_b.py": "import nothing_such\n"}
    async with suite_world(tmp_path, files) as world:
        run = await world.run(collect=True)
        assert (run["state"], run["message"]) == ("done", "A file can't be collected.")
        assert world.outcomes == {"tests/test_b.py": "error", "tests/test_a.py::test_a": ""}
        assert "nothing_such" in (world.board.output("tests/test_b.py") or "")
        run = await world.run()
        assert (run["state"], run["message"]) == (
            "failed",
            "A file can't be collected, so pytest has run no test.",
        )
        world.folder.write("tests/test_b.py", "def test_b(): pass\n")
        await world.run("tests/test_b.py")
        assert world.outcomes["tests/test_b.py"] == ""
        assert world.outcomes["tests/test_b.py::test_b"] == "passed"


async def test_a_test_that_is_gone_and_a_repository_without_tests_are_said(tmp_path: Path) -> None:
    async with suite_world(tmp_path, {"pytest.ini": "[pytest]\n"}) as world:
        run = await world.run()
        assert (run["state"], run["message"]) == ("done", "pytest has found no tests.")
        run = await world.run("test_none.py::test_x")
        assert run["state"] == "failed"
        assert "exit code 4" in run["message"]
        assert "not found" in (world.board.output("") or "")


async def test_a_repository_of_another_runner_says_which(tmp_path: Path) -> None:
    async with suite_world(tmp_path, {"Makefile": "test:\n\techo\n"}) as world:
        run = await world.run()
        assert run["state"] == "failed"
        assert "`make test`" in run["message"]
        assert world.questions == []


async def test_a_broken_configuration_shows_what_pytest_says(tmp_path: Path) -> None:
    files = {"conftest.py": "raise RuntimeError('no garden')\n", "tests/test_a.py": "x = 1\n"}
    async with suite_world(tmp_path, files) as world:
        run = await world.run()
        assert run["state"] == "failed"
        assert "no garden" in (world.board.output("") or "")


async def test_ids_are_relative_to_the_top_wherever_the_configuration_is(tmp_path: Path) -> None:
    files = {
        "conftest.py": "",
        "part/pytest.ini": "[pytest]\n",
        "part/test_p.py": "def test_p(): pass\n",
        "other/test_o.py": "def test_o(): pass\n",
    }
    async with suite_world(tmp_path, files) as world:
        await world.run("part")
        assert world.outcomes == {"part/test_p.py::test_p": "passed"}
        await world.run("part/test_p.py::test_p", "other/test_o.py")
        assert world.outcomes == {
            "part/test_p.py::test_p": "passed",
            "other/test_o.py::test_o": "passed",
        }


async def test_a_run_is_seen_while_it_goes_on_and_can_be_stopped(tmp_path: Path) -> None:
    async with suite_world(tmp_path, {"tests/test_slow.py": SLOW}) as world:
        world.suites.start(world.runs.conversation, WantedTests("run"))
        slow, later = "tests/test_slow.py::test_slow", "tests/test_slow.py::test_later"
        while world.outcomes.get(slow) != "running":
            await world.until_not("asking")
            await world.news()
        assert world.outcomes[later] == "waiting"
        with pytest.raises(Busy, match="running already"):
            world.suites.start(world.runs.conversation, WantedTests("run"))
        assert not await world.suites.stop(Identity("bob"))
        assert await world.suites.stop(ADA)
        assert world.board.run is not None
        assert world.board.run["state"] == "stopped"
        assert world.outcomes == {slow: "", later: ""}
        assert not await world.suites.stop(ADA)


async def test_a_question_is_taken_back(tmp_path: Path) -> None:
    async with suite_world(tmp_path) as world:
        world.suites.start(world.runs.conversation, WantedTests("run"))
        while not world.runs.approvals.pending(ADA):
            await world.news()
        assert await world.suites.stop(ADA)
        assert world.runs.approvals.pending(ADA) == []
        assert world.told[-1]["call"]["status"] == "cancelled"


async def test_in_the_sandbox_a_permission_asks_no_more(tmp_path: Path) -> None:
    async with suite_world(tmp_path, sandbox=True) as world:
        refusal = await world.parts.runner.sandbox.refusal()
        if "namespaces" in refusal:
            pytest.skip(refusal)
        run = await world.run(decision=Decision(allow=True, scope="prefix"))
        assert (run["state"], world.outcomes) == ("done", OUTCOMES)
        (question,) = world.questions
        assert (question.is_sandboxed, question.prefix) == (True, ("pytest", "-q"))
        await world.run("tests/test_mixed.py::test_wrong")
        await world.run(collect=True)
        assert len(world.questions) == 1
        await world.suites.stop(ADA)


async def test_tests_that_print_and_start_pytest_do_not_disturb_the_report(tmp_path: Path) -> None:
    inner = (
        "import os, subprocess, sys\n\n"
        "def test_outer():\n"
        "    print('[' * 1000)\n"
        "    os.write(1, b'half a line')\n"
        "    assert 'JUPYTER_AC_TEST_REPORT' not in os.environ\n"
        "    done = subprocess.run([sys.executable, '-m', 'pytest', '-q', 'inner'])\n"
        "    assert done.returncode == 0\n"
    )
    files = {"tests/test_outer.py": inner, "inner/test_inner.py": "def test_inner(): pass\n"}
    files["pytest.ini"] = "[pytest]\naddopts = -s\ntestpaths = tests\n"
    async with suite_world(tmp_path, files) as world:
        await world.run()
        assert world.outcomes == {"tests/test_outer.py::test_outer": "passed"}


async def test_what_is_kept_of_people_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite_runs, "MAX_PEOPLE", 2)
    async with suite_world(tmp_path) as world:
        first = world.suites.board(Identity("1"))
        assert world.suites.board(Identity("1")) is first
        world.suites.board(Identity("2"))
        world.suites.board(Identity("3"))
        assert world.suites.board(Identity("1")) is not first


async def test_the_end_of_the_workspace_ends_the_run(tmp_path: Path) -> None:
    async with suite_world(tmp_path, {"tests/test_slow.py": SLOW}) as world:
        world.suites.start(world.runs.conversation, WantedTests("run"))
        while not (world.folder.root / "begun").exists():
            await world.until_not("asking")
            await asyncio.sleep(0.01)
        await world.suites.aclose()
        assert not world.board.is_active
