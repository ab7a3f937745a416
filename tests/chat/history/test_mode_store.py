from pathlib import Path

from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.records import Focus
from jupyter_ac.ids import Identity
from tests.support.histories import history_in

ADA, BOB = Identity("ada"), Identity("bob")


async def test_each_person_and_worktree_has_its_own_focus_that_survives_a_restart(
    tmp_path: Path,
) -> None:
    database = history_in(tmp_path)
    store, other = FocusStore(database, ""), FocusStore(database, "feature")
    assert await store.read(ADA) == Focus()
    await store.keep(ADA, Focus("doc", cross_ref=True))
    await store.keep(ADA, Focus("doc"))
    await store.keep(BOB, Focus("code", cross_ref=True))
    await database.aclose()
    database = history_in(tmp_path)
    store = FocusStore(database, "")
    assert (await store.read(ADA), await store.read(BOB)) == (Focus("doc"), Focus("code", True))
    assert await FocusStore(database, "feature").read(ADA) == Focus()
    await database.run(lambda db: db.execute("UPDATE focuses SET mode = 'moon'").close())
    assert await store.read(ADA) == Focus()
    await database.aclose()
    assert other is not store
