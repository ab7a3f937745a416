"""Ticked files around a review, with real files."""

from pathlib import Path

import pytest

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.review_context import ReviewContext
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.end import end
from jupyter_ac.git.review.start import begin_and_show
from jupyter_ac.git.review.state import ReviewStates
from jupyter_ac.ids import ConversationKey, Identity, RepoPath
from jupyter_ac.services.review_selections import ReviewSelections
from jupyter_ac.services.subscribers import Subscribers
from tests.support.changing import changer_of
from tests.support.exclusions import none_excluded
from tests.support.histories import history_in
from tests.support.repositories import make_repository


class Connected(Subscribers):
    """Pages of some persons, which hear nothing."""

    def __init__(self, *keys: ConversationKey) -> None:
        super().__init__()
        self._keys = set(keys)

    def conversation_keys(self) -> set[ConversationKey]:
        return self._keys


@pytest.mark.parametrize("is_same_host", [True, False])
async def test_the_ticks_of_all_persons_go_and_come_back(
    tmp_path: Path, *, is_same_host: bool
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "old": "1\n"})
    folder.git("checkout", "-q", "-b", "feature")
    (folder.root / "old").unlink()
    folder.commit("drop")
    folder.git("checkout", "-q", "main")
    repository, database = await discover(folder.root), history_in(tmp_path)
    review = ReviewContext(repository, none_excluded)
    book = ConversationRegistry(
        HistoryStore(database, ""),
        RepositoryFiles(repository, excluded=none_excluded, without_text=review.without_text),
        FocusStore(database, ""),
        PageStore(database, ""),
        NotebookViewStore(database, ""),
    )
    keys = [ConversationKey(Identity(name)) for name in ("ada", "ben")]
    beside = ConversationKey(Identity("ada"), "ask-1")
    history, connected = HistoryStore(database, ""), Connected(*keys, beside)
    selections = ReviewSelections(book, history, connected, review)
    ada, ben, aside = [await book.open(key) for key in (*keys, beside)]
    for conversation, paths in ((ada, ["a", "old"]), (ben, ["old"]), (aside, ["a"])):
        assert await book.select(conversation, paths, [RepoPath("old")]) == paths
    await changer_of(repository).change_files(lambda git: begin_and_show(git, "feature", ""))
    state = await ReviewStates(repository).read()
    await selections.put_aside(state)
    assert (ada.selection, ben.selection, aside.selection) == ((), (), ("a",))
    assert await book.select(ben, ["old"]) == ["old"]
    await changer_of(repository).change_files(end)
    if not is_same_host:
        selections = ReviewSelections(book, history, connected, review)
    await selections.bring_back(state)
    assert (ada.selection, ben.selection) == (("a", "old"), ("old",))
    assert ada.by_program == {"old"}
    await selections.bring_back({**state, "phase": "at_parent"})
    assert list(ada.selection) == ["a", "old"]
    assert await book.select(ada, [], ()) == []
    await selections.bring_back(state)
    assert list(ada.selection) == []
    await review.aclose()
    await database.aclose()
