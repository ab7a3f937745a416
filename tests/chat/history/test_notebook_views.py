"""Views of notebooks on disk."""

from pathlib import Path

from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.ids import Identity, RepoPath
from jupyter_ac.notebook.cell_selection import WHOLE, NotebookView
from tests.chat.memory import ADA
from tests.support.histories import history_in

BOOK = RepoPath("a.ipynb")
VIEW = NotebookView({"a": "digest", "cell=3": "other"}, frozenset({"b"}))


async def test_views_are_kept_for_each_person_and_worktree(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = NotebookViewStore(database, "")
    await store.keep(ADA, BOOK, VIEW)
    assert await store.read(ADA) == {BOOK: VIEW}
    assert await store.read(Identity("bob")) == {}
    assert await NotebookViewStore(database, "other").read(ADA) == {}
    await store.keep(ADA, BOOK, WHOLE)
    assert await store.read(ADA) == {}
    await database.aclose()


async def test_rows_of_others_and_damaged_ones_decide_nothing(tmp_path: Path) -> None:
    database = history_in(tmp_path)
    store = NotebookViewStore(database, "")
    await store.keep(ADA, BOOK, VIEW)
    await database.run(lambda db: db.execute("UPDATE notebook_views SET excluded = '{}'"))
    assert await store.read(ADA) == {}
    await database.aclose()
