import asyncio
from collections.abc import Collection
from pathlib import Path

import pytest

from jupyter_ac.agent.run_undo import RunUndo
from jupyter_ac.chat.edit_blocks.stored_edits import TurnEdits
from jupyter_ac.chat.records import SessionRecord, TurnRecord, TurnState
from jupyter_ac.chat.run_record import RunRecord, changed_steps
from jupyter_ac.chat.session import Session
from jupyter_ac.edit_rows import BlockStatus, EditResult
from jupyter_ac.errors import Busy, Conflict, InvalidParams, NotFound
from jupyter_ac.git.checkpoints.restore import CheckpointRestorer
from jupyter_ac.ids import RepoPath, RequestId, SessionId
from jupyter_ac.tool_rows import RunRow
from tests.agent.runs import REQUEST, RunWorld, run_world
from tests.chat.edit_blocks.test_stored_edits import row

RUN = "turn_1"


class UndoWorld:
    """A run that is over, and what undoes it."""

    def __init__(self, world: RunWorld) -> None:
        self.world, self.root = world, world.folder.root
        self.checkpoints = world.checkpoints(RUN)
        self.kept: list[tuple[SessionId, TurnRecord]] = []
        self.changed: list[list[RepoPath]] = []
        writers = world.writers
        self.undo = RunUndo(
            CheckpointRestorer(world.store, writers.locks, writers.changer, self._note_changed),
            self._keep,
        )

    async def step(self, number: int, **texts: str) -> None:
        """Write files in a step of the run, by their names without `.txt`."""

        async def work() -> None:
            for name, text in texts.items():
                await asyncio.to_thread((self.root / f"{name}.txt").write_text, text)

        await self.checkpoints.around(number, work)

    def end(self, state: TurnState = TurnState.DONE) -> None:
        """End the turn with what the steps have changed."""
        changed = sorted(self.checkpoints.changed)
        amounts = self.world.run().record().row["used"]
        shown = RunRow(
            run_id=RUN,
            request_id=REQUEST,
            mode="agent",
            state="done",
            reason="",
            used=amounts,
            limits=amounts,
            calls=[],
            steps=[],
            changed_steps=changed_steps(self.checkpoints.intervals),
            files_changed=changed,
            can_undo=bool(changed),
        )
        results = tuple(_applied(index, name) for index, name in enumerate(changed))
        record = RunRecord(shown, (), tuple(self.checkpoints.intervals))
        edits = TurnEdits(results=results, modified=tuple(changed))
        turn = TurnRecord(RUN, RequestId(REQUEST), "Do.", 1, state, edits=edits, run=record)
        self.world.conversation.session.put(turn)

    def text(self, name: str) -> str | None:
        path = self.root / f"{name}.txt"
        return path.read_text() if path.exists() else None

    def turn(self) -> TurnRecord:
        return self.world.conversation.session.turns[-1]

    def _note_changed(self, paths: Collection[RepoPath]) -> None:
        self.changed.append(list(paths))

    async def _keep(self, session_id: SessionId, turn: TurnRecord) -> None:
        self.kept.append((session_id, turn))


def _applied(index: int, name: str) -> EditResult:
    return {**row(index, BlockStatus.APPLIED), "file": name}


async def over_in(tmp_path: Path) -> UndoWorld:
    """Return a run of three steps, with a change of the user's between them."""
    undo = UndoWorld(await run_world(tmp_path))
    await undo.step(1, a="ONE\n", made="made\n")
    await asyncio.to_thread((undo.root / "b.txt").write_text, "the user's\n")
    await undo.step(3, a="UNO\n")
    undo.end()
    return undo


async def test_all_of_a_run_is_taken_back_to_the_bytes_before_it(tmp_path: Path) -> None:
    over = await over_in(tmp_path)
    undone = await over.undo.undo(over.world.conversation, RUN, 1)
    assert sorted(undone.restored) == ["a.txt", "made.txt"]
    assert list(undone.kept) == []
    assert (over.text("a"), over.text("made"), over.text("b")) == ("one\n", None, "the user's\n")
    assert (undone.run["files_changed"], undone.run["can_undo"]) == ([], False)
    assert undone.run["reason"] == "The run was taken back."
    ((session_id, kept),) = over.kept
    assert session_id == over.world.conversation.session.session_id
    assert kept == over.turn()
    assert {one["status"] for one in kept.edits.results} == {"undone"}
    assert over.changed == [list(undone.restored)]


async def test_a_step_and_later_ones_are_taken_back(tmp_path: Path) -> None:
    over = await over_in(tmp_path)
    undone = await over.undo.undo(over.world.conversation, RUN, 2)
    assert (over.text("a"), over.text("made")) == ("ONE\n", "made\n")
    assert (undone.run["can_undo"], undone.run["reason"]) == (True, "Taken back to before step 2.")
    assert undone.run["changed_steps"] == [1]
    undone = await over.undo.undo(over.world.conversation, RUN, 1)
    assert (over.text("a"), over.text("made")) == ("one\n", None)
    assert undone.run["can_undo"] is False


async def test_what_the_user_has_changed_later_is_left_alone(tmp_path: Path) -> None:
    over = await over_in(tmp_path)
    (over.root / "a.txt").write_text("mine\n")
    undone = await over.undo.undo(over.world.conversation, RUN, 1)
    assert (over.text("a"), over.text("made")) == ("mine\n", None)
    assert [one.path for one in undone.kept] == ["a.txt"]
    assert undone.run["files_changed"] == ["a.txt"]
    assert "1 file was left" in undone.run["reason"]
    statuses = {one["file"]: one["status"] for one in over.turn().edits.results}
    assert statuses == {"a.txt": "applied", "made.txt": "undone"}


async def test_one_diff_has_all_that_a_run_has_changed(tmp_path: Path) -> None:
    over = await over_in(tmp_path)
    diff = await over.undo.diff(over.world.conversation, RUN)
    assert "-one\n+UNO\n" in diff
    assert "+made\n" in diff


@pytest.mark.parametrize(
    ("run_id", "step", "error", "said"),
    [
        ("turn_2", 1, NotFound, "no run 'turn_2'"),
        pytest.param("x" * 10_000, 1, NotFound, "no run 'xxx", id="long"),
        (RUN, 0, InvalidParams, "at least 1"),
        (RUN, -1, InvalidParams, "at least 1"),
        (RUN, 4, Conflict, "changed nothing there"),
    ],
)
async def test_what_is_not_there_can_not_be_taken_back(
    tmp_path: Path, run_id: str, step: int, error: type[Exception], said: str
) -> None:
    over = await over_in(tmp_path)
    with pytest.raises(error, match=said) as caught:
        await over.undo.undo(over.world.conversation, run_id, step)
    assert len(str(caught.value)) < 200
    assert over.text("a") == "UNO\n"


async def test_a_run_is_taken_back_once(tmp_path: Path) -> None:
    over = await over_in(tmp_path)
    await over.undo.undo(over.world.conversation, RUN, 1)
    with pytest.raises(Conflict, match="changed nothing"):
        await over.undo.undo(over.world.conversation, RUN, 1)
    assert await over.undo.diff(over.world.conversation, RUN) == ""


async def test_a_run_that_is_not_over_is_stopped_first(tmp_path: Path) -> None:
    over = await over_in(tmp_path)
    over.end(TurnState.RUNNING)
    with pytest.raises(Busy, match="stop it first"):
        await over.undo.undo(over.world.conversation, RUN, 1)


async def test_a_run_that_came_with_the_repository_takes_nothing_back(tmp_path: Path) -> None:
    over = await over_in(tmp_path)
    conversation = over.world.conversation
    foreign = SessionRecord(SessionId("sess_1_a"), turns=(over.turn(),), is_own=False)
    conversation.session = Session(foreign)
    with pytest.raises(NotFound):
        await over.undo.undo(conversation, RUN, 1)
    with pytest.raises(NotFound):
        await over.undo.diff(conversation, RUN)
    assert over.text("a") == "UNO\n"
