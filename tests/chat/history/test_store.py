import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.chat.history import session_restore
from jupyter_ac.chat.history.index import CREATE
from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.history.schema import MIGRATIONS
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.prompt.blocks import Block, Category, file_block, question_block
from jupyter_ac.chat.records import SessionRecord, Ticks, TurnPosition, TurnRecord, TurnState
from jupyter_ac.errors import Conflict, NotFound
from jupyter_ac.ids import ConversationKey, Identity, RepoPath, RequestId, SessionId
from jupyter_ac.store.sqlite import Database
from tests.chat.memory import ADA
from tests.support.histories import history_in

SESSION = SessionId("sess_1_a")
HEAD = (Block(Category.SYSTEM, "Be kind."),)
SENT = (file_block(RepoPath("a"), "1"), question_block("Why?"))


@asynccontextmanager
async def opened(
    folder: Path, worktree: str = "", host: str | None = None
) -> AsyncIterator[HistoryStore]:
    """The history as a host that has just started sees it."""
    database = history_in(folder)
    try:
        yield HistoryStore(database, worktree, Owner(host) if host else None)
    finally:
        await database.aclose()


async def latest(store: HistoryStore, identity: Identity) -> SessionRecord | None:
    """The session that the person used last."""
    name = await store._database.read(
        lambda db: session_restore.latest(db, identity, store._worktree)
    )
    return await store.session(name) if name is not None else None


def turn(number: int) -> TurnRecord:
    return TurnRecord(f"t{number}", RequestId(f"{number}-a"), f"question {number}", number)


def place(revision: int, session_id: SessionId = SESSION) -> TurnPosition:
    return TurnPosition(ConversationKey(ADA), session_id, revision)


async def add(store: HistoryStore, number: int, revision: int) -> TurnRecord:
    """Add a whole turn; takes two revisions."""
    await store.begin(place(revision), turn(number))
    await store.keep_sent(f"t{number}", "standard", HEAD, SENT)
    over = replace(turn(number), state=TurnState.DONE, answer=f"answer {number}", sent=SENT)
    await store.finish(over)
    return over


async def test_who_has_ticked_a_file_is_kept(tmp_path: Path) -> None:
    ticks = Ticks((RepoPath("a"), RepoPath("b")), frozenset({RepoPath("b")}))
    async with opened(tmp_path) as store:
        await store.keep_selection(ADA, ticks)
        assert await store.selection(ADA) == ticks


async def test_a_restart_finds_everything_as_it_was(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        kept = [await add(store, 1, 0), await add(store, 2, 2)]
        await store.keep_selection(ADA, Ticks((RepoPath("caf\udce9.py"),)))
    async with opened(tmp_path) as store:
        session = await latest(store, ADA)
        assert session is not None
        assert list(session.turns) == kept
        assert (session.session_id, session.revision) == (SESSION, 4)
        assert session.heads == {"standard": HEAD}
        assert (await store.selection(ADA)).paths == ("caf\udce9.py",)


async def test_persons_and_worktrees_are_kept_apart(tmp_path: Path) -> None:
    async with opened(tmp_path) as store, opened(tmp_path, "feature") as other:
        await add(store, 1, 0)
        await store.keep_selection(ADA, Ticks((RepoPath("a"),)))
        assert await latest(store, Identity("bob")) is None
        assert await latest(other, ADA) is None
        assert await other.selection(ADA) == Ticks()
        assert await store.session(SessionId("sess_9_z")) is None


async def test_the_session_used_last_is_the_latest_also_when_it_is_empty(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await add(store, 1, 0)
        await store.start_session(ConversationKey(ADA), SessionId("sess_2_b"))
        session = await latest(store, ADA)
        assert session is not None
        assert (session.session_id, session.revision, session.turns) == ("sess_2_b", 0, ())
        await store.begin(place(0, SessionId("sess_2_b")), turn(7))


async def test_the_session_used_last_is_the_latest_also_when_the_clock_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at(moment: int) -> None:
        for module in ("rows", "store"):
            monkeypatch.setattr(f"jupyter_ac.chat.history.{module}.now_ms", lambda: moment)

    async with opened(tmp_path) as store:
        at(2_000_000)
        await add(store, 1, 0)
        at(1_000_000)
        await store.begin(place(0, SessionId("sess_2_b")), turn(2))
        last = await latest(store, ADA)
        assert last is not None
        assert last.session_id == "sess_2_b"
        await store.start_session(ConversationKey(ADA), SessionId("sess_3_c"))
        last = await latest(store, ADA)
        assert last is not None
        assert last.session_id == "sess_3_c"


async def test_a_file_that_was_deleted_takes_a_whole_turn_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.begin(place(0), turn(1))
        for file in tmp_path.glob("history.sqlite*"):
            file.unlink()
        for keeping in (store.keep_sent("t1", "standard", HEAD, SENT), store.finish(turn(1))):
            with pytest.raises(NotFound, match="deleted"):
                await keeping
        await store.checkpoint("t1", "So far")
        over = await add(store, 1, 0)
        found = await store.session(SESSION)
        assert found is not None
        assert found.turns == (over,)


async def test_two_hosts_cant_write_over_each_other(tmp_path: Path) -> None:
    async with opened(tmp_path) as one, opened(tmp_path) as two:
        await add(one, 1, 0)
        with pytest.raises(Conflict):
            await two.begin(place(0), turn(2))
        session = await two.session(SESSION)
        assert session is not None
        await two.begin(place(session.revision), turn(2))
        with pytest.raises(Conflict):
            await one.begin(place(session.revision), turn(3))


async def test_many_turns_from_two_hosts_at_once_all_arrive(tmp_path: Path) -> None:
    async def keep_adding(store: HistoryStore, numbers: range) -> None:
        for number in numbers:
            while True:
                session = await store.session(SESSION)
                revision = session.revision if session is not None else 0
                try:
                    await store.begin(place(revision), turn(number))
                except Conflict:
                    continue
                await store.finish(replace(turn(number), state=TurnState.DONE, answer="So."))
                break

    async with (
        opened(tmp_path, host="one") as one,
        opened(tmp_path, host="two") as two,
        asyncio.timeout(30),
    ):
        await asyncio.gather(keep_adding(one, range(15)), keep_adding(two, range(15, 30)))
        session = await one.session(SESSION)
    assert session is not None
    assert {found.request_id for found in session.turns} == {f"{n}-a" for n in range(30)}
    assert session.revision == 60


async def test_an_answer_that_another_host_is_making_is_left_alone(tmp_path: Path) -> None:
    async with opened(tmp_path, host="one") as one, opened(tmp_path, host="two") as two:
        await one.begin(place(0), turn(1))
        await one.checkpoint("t1", "So far", "Hm.")
        session = await two.session(SESSION)
        assert session is not None
        assert (session.turns[0].state, session.turns[0].answer) == (TurnState.RUNNING, "So far")
        assert session.turns[0].reasoning == "Hm."
        await one.finish(replace(turn(1), state=TurnState.DONE, answer="So far so good"))
        with pytest.raises(Conflict):
            await two.begin(place(session.revision), turn(2))


async def test_a_session_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    async with opened(tmp_path, host="one") as one, opened(tmp_path, host="two") as two:
        await add(one, 1, 0)
        assert await two.session(SESSION, unless=2) is None
        await one.begin(place(2), turn(2))
        session = await two.session(SESSION, unless=2)
        assert session is not None
        assert (session.revision, len(session.turns)) == (3, 2)
        assert await two.session(SessionId("sess_9_z"), unless=0) is None


async def test_a_lost_turn_is_a_change_that_is_noticed(tmp_path: Path) -> None:
    async with opened(tmp_path) as dead, opened(tmp_path) as host:
        await dead.begin(place(0), turn(1))
        # Signed by this process, but by another start of it: that one has ended.
        session = await host.session(SESSION, unless=1)
        assert session is not None
        assert (session.revision, session.turns[0].state) == (2, TurnState.ERROR)


async def test_a_session_of_ones_own_can_be_claimed_and_is_then_the_latest(tmp_path: Path) -> None:
    cells = SessionId("sess_2_b")
    async with opened(tmp_path) as store, opened(tmp_path, "feature") as other:
        await store.begin(TurnPosition(ConversationKey(ADA, "cells"), cells, 0), turn(7))
        await add(store, 1, 0)
        for conversation_key, session_id in (
            (ConversationKey(Identity("bob")), cells),
            (ConversationKey(ADA), SessionId("sess_9_z")),
            (ConversationKey(ADA), SessionId("")),
        ):
            assert await store.claim(conversation_key, session_id) is None
        assert await other.claim(ConversationKey(ADA), cells) is None
        read = await store.claim(ConversationKey(ADA, "elsewhere"), cells)
        assert read is not None
        last = await latest(store, ADA)
        assert last is not None
        assert last.session_id == SESSION
        for session_id in (cells, SESSION, cells):
            claimed = await store.claim(ConversationKey(ADA), session_id)
            last = await latest(store, ADA)
            assert claimed is not None
            assert claimed == last
            assert last.session_id == session_id


KILLED = """
import asyncio, json, sys
from pathlib import Path
from jupyter_ac.chat.history.store import HistoryStore
from tests.chat.history.test_store import HEAD, SENT, place, turn
from tests.support.histories import history_in

async def main():
    store = HistoryStore(history_in(Path(sys.argv[1]).parent), "")
    await store.begin(place(0), turn(1))
    await store.keep_sent("t1", "standard", HEAD, SENT)
    for number in range(10_000):
        await store.checkpoint("t1", "word " * number)
        print(number, flush=True)

asyncio.run(main())
"""


async def test_a_killed_host_leaves_the_question_and_the_answer_so_far(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", KILLED, str(tmp_path / "history.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        while (said := process.stdout.readline().strip()) != "20":
            assert said, "the child ended early"
        process.send_signal(signal.SIGKILL)
        last = int(([said, *process.stdout.read().split()])[-1])
        process.wait(30)
    async with opened(tmp_path) as store:
        session = await latest(store, ADA)
    assert session is not None
    (found,) = session.turns
    assert (found.question, found.state) == ("question 1", TurnState.ERROR)
    assert found.failure is not None
    assert "interrupted" in found.failure.message
    assert len(found.answer) // 5 in {last, last + 1}
    assert found.sent == SENT
    assert found.exchanges()
    assert session.revision == 2


async def test_a_file_of_a_newer_version_is_read_and_not_changed(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.begin(place(0), turn(1))
    newer = Database(
        tmp_path / "history.sqlite", (*MIGRATIONS, "CREATE TABLE later (x);"), optional=CREATE
    )
    await newer.open()
    await newer.aclose()
    async with opened(tmp_path) as store:
        session = await latest(store, ADA)
    assert session is not None
    assert json.dumps(session.turns[0].question) == '"question 1"'


def test_a_process_signs_differently_from_the_next() -> None:
    assert str(Owner()) != str(Owner())


async def resumed(store: HistoryStore, fresh: str) -> SessionRecord:
    session = await store.resume(ADA, SessionId(fresh))
    assert session is not None
    return session


async def test_after_a_restart_the_conversation_comes_back_under_a_new_name(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        assert await store.resume(ADA, SessionId("sess_9_z")) is None
        await add(store, 1, 0)
        await add(store, 2, 2)
        before = await store.session(SESSION)
        assert before is not None
    async with opened(tmp_path) as store:
        session = await resumed(store, "sess_2_b")
        assert (session.session_id, session.revision) == ("sess_2_b", 0)
        assert (session.turns, session.heads) == (before.turns, before.heads)
        assert await store.session(SESSION) == before
        own = await add_to(store, "sess_2_b", 3)
        grown = await store.session(SessionId("sess_2_b"))
        assert grown is not None
        assert grown.turns == (*before.turns, own)
        assert await store.session(SESSION) == before


async def add_to(
    store: HistoryStore, session_id: str, number: int, revision: int = 0
) -> TurnRecord:
    await store.begin(place(revision, SessionId(session_id)), turn(number))
    await store.keep_sent(f"t{number}", "standard", HEAD, SENT)
    over = replace(turn(number), state=TurnState.DONE, answer=f"answer {number}", sent=SENT)
    await store.finish(over)
    return over


async def test_what_is_said_in_the_earlier_session_later_stays_there(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first = await add(store, 1, 0)
    async with opened(tmp_path) as store:
        await resumed(store, "sess_2_b")
        assert await store.claim(ConversationKey(ADA), SESSION) is not None
        await add(store, 2, 2)
        other = await store.session(SessionId("sess_2_b"))
        assert other is not None
        assert other.turns == (first,)


async def test_each_restart_goes_on_from_the_one_before(tmp_path: Path) -> None:
    turns: list[TurnRecord] = []
    for number in range(1, 5):
        async with opened(tmp_path) as store:
            name = f"sess_{number}"
            session = await store.resume(ADA, SessionId(name))
            assert list(session.turns if session else ()) == turns
            turns.append(await add_to(store, name, number))


async def test_an_empty_session_needs_no_other_name_after_a_restart(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await add(store, 1, 0)
    for fresh in ("sess_2_b", "sess_3_c"):
        async with opened(tmp_path) as store:
            session = await resumed(store, fresh)
            assert session.session_id == "sess_2_b"
            assert len(session.turns) == 1


async def test_a_session_that_another_living_host_has_is_joined(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    alive = Owner(pid=child.pid)
    database = history_in(tmp_path)
    try:
        other = HistoryStore(database, "", alive)
        await add(other, 1, 0)
        async with opened(tmp_path) as store:
            assert (await resumed(store, "sess_2_b")).session_id == SESSION
        child.communicate(b"\n")
        async with opened(tmp_path) as store:
            assert (await resumed(store, "sess_2_b")).session_id == "sess_2_b"
    finally:
        child.kill()
        child.wait()
        await database.aclose()


async def test_a_host_on_another_machine_has_its_session_until_it_is_silent_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, host="elsewhere") as other:
        await add(other, 1, 0)
    async with opened(tmp_path) as store:
        assert (await resumed(store, "sess_2_b")).session_id == SESSION
    monkeypatch.setattr("jupyter_ac.chat.history.owners.LEASE_MS", -1)
    async with opened(tmp_path) as store:
        assert (await resumed(store, "sess_3_c")).session_id == "sess_3_c"


async def test_where_nothing_can_be_written_the_conversation_comes_back_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as store:
        over = await add(store, 1, 0)
    monkeypatch.setattr("os.access", lambda *_: False)
    async with opened(tmp_path) as store:
        session = await resumed(store, "sess_2_b")
        assert (session.session_id, session.turns) == ("sess_2_b", (over,))


async def test_a_session_of_another_person_is_nothing_to_go_on_from(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await add(store, 1, 0)
        await store.begin(
            TurnPosition(ConversationKey(Identity("bob")), SessionId("sess_2_b"), 0), turn(2)
        )
        await store._database.run(
            lambda db: db.execute(
                "UPDATE sessions SET parent = 'sess_1_a', parent_turns = 9"
            ).close()
        )
        found = await store.session(SessionId("sess_2_b"))
        assert found is not None
        assert [each.turn_id for each in found.turns] == ["t2"]


async def test_images_and_reasoning_come_back_with_their_turn(tmp_path: Path) -> None:
    name = f"{'0' * 64}.png"
    asked = replace(turn(1), images=(name,))
    async with opened(tmp_path) as store:
        await store.begin(place(0), asked)
        over = replace(
            asked, state=TurnState.DONE, answer="So.", reasoning="Hm.", finish_reason="stop"
        )
        await store.finish(over)
        session = await store.session(SESSION)
    assert session is not None
    question, answer = session.turns[0].messages()
    assert question["images"] == [{"id": name, "mime": "image/png"}]
    assert (answer["reasoning"], answer["finish_reason"]) == ("Hm.", "stop")
