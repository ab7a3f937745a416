"""`kill -9` at random moments of a turn with edits: nothing is half done, and nothing lies."""

import time
from pathlib import Path

import pytest

from jupyter_ac.chat.records import INTERRUPTED, TurnRecord, TurnState
from tests.chat.edited import EditWorld, editing_again
from tests.support.dying_edits import BEFORE, FILES, Killer, after, created, killer, moments
from tests.support.repositories import RepositoryFolder, make_repository

LONGEST_S = 30.0


async def check(world: EditWorld, number: int) -> None:
    """What the killed turn says is what the files are; taking it back gives them as they were."""
    turns = (await world.conversation()).session.turns
    kept = [turn for turn in turns if turn.request_id == f"r{number}"]
    contents = {name: world.text(name) for name in FILES}
    assert set(contents.values()) <= {BEFORE, after(number)}, contents
    is_made = (world.folder.root / created(number)).exists()
    if is_made:
        assert world.text(created(number)) == f"made {number}\n"
    if not kept:  # not even the question had been kept
        assert set(contents.values()) == {BEFORE}
        assert not is_made
        return
    (turn,) = kept
    assert turn.question == f"Question {number}"
    assert turn.state is TurnState.DONE or turn.failure == INTERRUPTED
    changed = {name for name, text in contents.items() if text != BEFORE}
    changed |= {created(number)} if is_made else set()
    assert applied(turn) == changed, (turn.edits, contents)
    if changed:
        await world.undo(await world.conversation())
        assert {world.text(name) for name in FILES} == {BEFORE}
        assert not (world.folder.root / created(number)).exists()


def applied(turn: TurnRecord) -> set[str]:
    return {row["file"] for row in turn.edits.results if row["status"] == "applied"}


async def kill_turns(folder: Path, count: int) -> list[bool]:
    """Kill so many turns at moments of a whole one's time; gives which had ended before."""
    made = make_repository(folder / "repo", dict.fromkeys(FILES, BEFORE))
    with killer(folder) as killing:
        longest_s = await whole_turn(killing, made, folder)
        ended: list[bool] = []
        for number, moment in enumerate(moments(count, longest_s), 1):
            ended.append(killing.turn(number, moment))
            async with editing_again(made, folder) as world:
                await check(world, number)
            async with editing_again(made, folder) as world:  # nothing is done at a start
                assert {world.text(name) for name in FILES} == {BEFORE}
        return ended


async def whole_turn(killing: Killer, made: RepositoryFolder, folder: Path) -> float:
    """Make a turn to its end; gives how long it takes."""
    began = time.monotonic()
    assert killing.turn(0, LONGEST_S)
    took_s = time.monotonic() - began
    async with editing_again(made, folder) as world:
        assert applied((await world.conversation()).session.turns[-1]) == {*FILES, created(0)}
        await check(world, 0)
    return took_s


async def test_a_turn_killed_at_ten_moments_does_not_lie(tmp_path: Path) -> None:
    assert len(await kill_turns(tmp_path, 10)) == 10


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_a_turn_killed_at_two_hundred_moments_does_not_lie(tmp_path: Path) -> None:
    ended = await kill_turns(tmp_path, 200)
    assert ended.count(False) >= 50
