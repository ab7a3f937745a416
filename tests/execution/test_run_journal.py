import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.errors import AcError
from jupyter_ac.execution import run_journal
from jupyter_ac.execution.cell_runs import CellRequest, CellRun, RunState, now_ms
from jupyter_ac.execution.outputs import CellOutput, OutputKind
from jupyter_ac.execution.run_journal import FILE, HOST_ENDED, MAX_TEXT
from jupyter_ac.ids import Identity
from tests.support.cells import journal_in

ADA, BOB = Identity("ada"), Identity("bob")


def _run(code: str = "1", identity: Identity = ADA) -> CellRun:
    run = CellRun.of(CellRequest("a/é.ipynb", "k1", code, 7.5), identity).moved(RunState.RUNNING)
    return replace(run, approved_by=identity)


async def test_a_run_is_read_as_it_was_written_but_for_its_images(tmp_path: Path) -> None:
    outputs = (
        CellOutput(OutputKind.TEXT, "one"),
        CellOutput(OutputKind.IMAGE, mime_type="image/png", data=b"x"),
        CellOutput(OutputKind.ERROR, "two"),
    )
    ended = replace(_run().moved(RunState.ERROR, "why"), outputs=outputs, left_out=3)
    journal = journal_in(tmp_path)
    await journal.write(_run())
    await journal.write(ended)
    found = (await journal.recent(ADA, 1, now_ms()))[0]
    assert found == replace(ended, outputs=(CellOutput(OutputKind.TEXT, "one\ntwo"),))
    await journal.aclose()


async def test_each_state_replaces_the_one_before(tmp_path: Path) -> None:
    journal, run = journal_in(tmp_path), _run()
    await journal.write(run)
    await journal.write(run.moved(RunState.OK))
    assert [found.state for found in await journal.recent(ADA, 9, now_ms())] == [RunState.OK]
    await journal.aclose()


async def test_each_person_has_their_own_newest_first(tmp_path: Path) -> None:
    journal = journal_in(tmp_path)
    for code in ("1", "2", "3"):
        await journal.write(_run(code))
    await journal.write(_run("4", BOB))
    codes = [run.request.code for run in await journal.recent(ADA, 2, now_ms())]
    assert codes == ["3", "2"]
    await journal.aclose()


async def test_only_the_newest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_journal, "MAX_RUNS", 3)
    journal = journal_in(tmp_path)
    for number in range(5):
        await journal.write(_run(str(number)))
    codes = [run.request.code for run in await journal.recent(ADA, 9, now_ms())]
    assert codes == ["4", "3", "2"]
    await journal.aclose()


async def test_of_long_outputs_the_end_is_kept(tmp_path: Path) -> None:
    journal, text = journal_in(tmp_path), "x" * MAX_TEXT + "the end"
    await journal.write(replace(_run(), outputs=(CellOutput(OutputKind.TEXT, text),)))
    (found,) = await journal.recent(ADA, 9, now_ms())
    assert found.outputs[0].text.endswith("xthe end")
    assert (len(found.outputs[0].text), found.left_out) == (MAX_TEXT, 7)
    await journal.aclose()


async def test_a_run_of_another_living_process_goes_on(tmp_path: Path) -> None:
    other = Owner(pid=os.getppid())
    journal, run = journal_in(tmp_path, other), _run()
    await journal.write(run)
    await journal.aclose()
    journal = journal_in(tmp_path)
    assert await journal.recent(ADA, 9, now_ms()) == [run]
    await journal.aclose()


async def test_after_kill_9_it_is_known_what_was_run(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.support.dying_cell", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert await asyncio.to_thread(process.stdout.readline) == "running\n"
        process.send_signal(signal.SIGKILL)
    journal = journal_in(tmp_path)
    (run,) = await journal.recent(ADA, 9, now_ms())
    assert (run.state, run.reason) == (RunState.INTERRUPTED, HOST_ENDED)
    assert (run.request.code, run.approved_by) == ("forever()", "ada")
    assert run.row()["duration_s"] is None
    await journal.aclose()


async def test_rows_that_somebody_else_has_written_or_changed_are_left_out(
    tmp_path: Path,
) -> None:
    journal, run = journal_in(tmp_path), _run()
    await journal.write(_run("2"))
    await journal.write(run)
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("UPDATE cell_runs SET code = 'rm()' WHERE code = '2'")
    db.close()
    assert await journal.recent(ADA, 9, now_ms()) == [run]
    await journal.aclose()
    theirs = journal_in(tmp_path, key=b"bob's")
    assert await theirs.recent(ADA, 9, now_ms()) == []
    await theirs.aclose()


async def test_rows_that_are_none_are_passed_over(tmp_path: Path) -> None:
    journal, run = journal_in(tmp_path), _run()
    longer = _run()  # as another version may have written it
    object.__setattr__(longer.request, "time_limit_s", 1e9)
    await journal.write(longer)
    await journal.write(run)
    assert await journal.recent(ADA, 9, now_ms()) == [run]
    await journal.aclose()


async def test_a_journal_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to("elsewhere")
    journal = journal_in(tmp_path)
    with pytest.raises(AcError):
        await journal.write(_run())
    await journal.aclose()
