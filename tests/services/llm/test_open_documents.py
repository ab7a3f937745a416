import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.ids import ClientId, ConversationKey, Identity, RepoPath
from jupyter_ac.notebook.open_notebook import cell_operations, open_notebook_text
from jupyter_ac.notebook.percent import percent_text
from jupyter_ac.rpc.context import CALLER, Caller
from jupyter_ac.services.llm.open_documents import EDIT, NOTEBOOKS, UNSAVED, OpenDocuments
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA
from tests.services.llm.pages import WITH_DELTAS, Connection, Page, connect, never_answer

BOB = Identity("bob")
SEAT = ConversationKey(ADA)


def _saying(answer: object) -> Page:
    async def answers(_: str) -> object:
        return answer

    return Page((*WITH_DELTAS, UNSAVED), answers)


@asynccontextmanager
async def _asking(
    root: Path,
    *pages: Page,
    identity: Identity = ADA,
    aside: str = "",
    asker: int | None = None,
    server_root: Path | None = None,
) -> AsyncIterator[OpenDocuments]:
    audience = Subscribers()
    connections: list[Connection] = []
    for page in pages:
        connection = await connect(page, {}, identity)
        audience.join(connection.host, ConversationKey(identity, aside))
        connections.append(connection)
    if asker is not None:  # as in a task of that page's call
        CALLER.set(Caller(identity, ClientId("asker"), connections[asker].host))
    try:
        yield OpenDocuments(audience, root, server_root)
    finally:
        await audience.aclose()
        for connection in connections:
            await connection.close()


async def test_a_page_in_jupyterlab_names_its_unsaved_files(tmp_path: Path) -> None:
    async with _asking(tmp_path, _saying(["a.py", f"{tmp_path}/src/b c.py"])) as documents:
        assert await documents.unsaved(SEAT) == {"a.py", "src/b c.py"}


async def test_names_below_the_home_folder_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    async with _asking(tmp_path / "work", _saying(["~/work/a.py", "~/other.py"])) as documents:
        assert await documents.unsaved(SEAT) == {"a.py"}


async def test_files_outside_of_the_repository_are_none(tmp_path: Path) -> None:
    names = ["/etc/hosts", "../x", str(tmp_path), "", "a\0b", "~nobody-here/x", 3, None, ["a"]]
    async with _asking(tmp_path / "repo", _saying(names)) as documents:
        assert await documents.unsaved(SEAT) == frozenset()


async def test_a_link_names_itself_and_its_file(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "link.py").symlink_to("real.py")
    (tmp_path / "way").symlink_to(repo)
    async with _asking(repo, _saying([f"{tmp_path}/way/link.py"])) as documents:
        assert await documents.unsaved(SEAT) == {"link.py", "real.py"}


async def test_paths_of_the_jupyter_server_are_found_where_there_is_one(tmp_path: Path) -> None:
    names = ["server:/repo/a.py", "server:/other.py", "server://etc/hosts", "server:/repo/../x"]
    async with _asking(tmp_path / "repo", _saying(names)) as documents:
        assert await documents.unsaved(SEAT) == frozenset()
    page = _saying(names)
    async with _asking(tmp_path / "repo", page, server_root=tmp_path) as documents:
        assert await documents.unsaved(SEAT) == {"a.py"}


async def test_pages_that_cannot_tell_are_not_asked(tmp_path: Path) -> None:
    page = Page(answer=never_answer)
    async with _asking(tmp_path, page) as documents:
        assert await documents.unsaved(SEAT) == frozenset()
        assert page.events == []


async def test_all_pages_of_the_person_are_asked_and_nobody_elses(tmp_path: Path) -> None:
    pages = _saying(["a.py"]), _saying(["b.py"])
    async with _asking(tmp_path, *pages) as documents:
        assert await documents.unsaved(ConversationKey(ADA, "a notebook's cells")) == {
            "a.py",
            "b.py",
        }
        assert await documents.unsaved(ConversationKey(BOB)) == frozenset()


async def test_a_page_that_does_not_answer_counts_as_none(tmp_path: Path) -> None:
    async def fails(_: str) -> object:
        raise NotReady("broken")

    pages = (
        Page([UNSAVED], never_answer),
        Page([UNSAVED], fails),
        _saying({"not": "a list"}),
        _saying(["a.py"]),
    )
    async with _asking(tmp_path, *pages) as documents, asyncio.timeout(30):
        assert await documents.unsaved(SEAT) == {"a.py"}


CELLS = [{"id": "a", "cell_type": "code", "source": "x = 1"}]
ROW = {
    "path": "book.ipynb",
    "language": "python",
    "nbformat_minor": 5,
    "cells": CELLS,
    "unsaved": True,
    "idle_ms": 5,
}
BOOK = RepoPath("book.ipynb")


def _holding(*rows: object, edited: object = None) -> Page:
    async def answers(name: str) -> object:
        return list(rows) if name == NOTEBOOKS else edited

    return Page((*WITH_DELTAS, NOTEBOOKS, EDIT), answers)


async def test_an_open_notebook_is_read_and_edited_in_its_page(tmp_path: Path) -> None:
    page = _holding(ROW, edited={"status": "applied"})
    async with _asking(tmp_path, page) as documents:
        found = await documents.notebooks(SEAT, [BOOK, RepoPath("other.ipynb")])
        assert page.named("getOpenNotebooks") == [(["book.ipynb", "other.ipynb"], [])]
        assert found.keys() == {BOOK}
        assert percent_text(found[BOOK].file) == '# %% id="a"\nx = 1\n'
        [operation] = cell_operations(found[BOOK].file, open_notebook_text("", []))
        assert await found[BOOK].edit([operation]) == {"status": "applied"}
        [(edit,)] = page.named("applyNotebookEdit")
        assert edit == {"path": "book.ipynb", "file": "book.ipynb", "operations": [operation]}


async def test_of_two_pages_the_one_used_last_edits_and_no_other(tmp_path: Path) -> None:
    old, new = (
        _holding({**ROW, "idle_ms": idle}, edited={"status": "applied"}) for idle in (9000, 3)
    )
    async with _asking(tmp_path, old, new) as documents:
        found = await documents.notebooks(SEAT, [BOOK])
        await found[BOOK].edit([])
    assert (len(old.named("applyNotebookEdit")), len(new.named("applyNotebookEdit"))) == (0, 1)


async def test_the_page_that_asks_comes_first(tmp_path: Path) -> None:
    other, asking = (
        _holding({**ROW, "idle_ms": idle}, edited={"status": "applied"}) for idle in (0, 9000)
    )
    async with _asking(tmp_path, other, asking, asker=1) as documents:
        found = await documents.notebooks(SEAT, [BOOK])
        await found[BOOK].edit([])
    assert (len(other.named("applyNotebookEdit")), len(asking.named("applyNotebookEdit"))) == (0, 1)


@pytest.mark.parametrize(
    "row",
    [
        3,
        {},
        {**ROW, "cells": 3},
        {**ROW, "idle_ms": "soon"},
        {**ROW, "nbformat_minor": None},
        {**ROW, "cells": [3]},
        {**ROW, "cells": [{"id": 3, "cell_type": "code", "source": ""}]},
        {**ROW, "cells": [{"id": "a", "cell_type": "heading", "source": ""}]},
        {**ROW, "cells": [{"id": "a", "cell_type": "code", "source": None}]},
        {**ROW, "cells": [{"id": "a", "cell_type": "code", "source": "", "tags": [3]}]},
        {**ROW, "cells": CELLS * 2},
        {**ROW, "path": "/etc/book.ipynb"},
    ],
)
async def test_rows_that_are_no_open_notebooks_are_left_out(tmp_path: Path, row: object) -> None:
    async with _asking(tmp_path, _holding(row)) as documents:
        assert await documents.notebooks(SEAT, [BOOK]) == {}


@pytest.mark.parametrize(
    ("edited", "status", "reason"),
    [
        ({"status": "changed"}, "changed", "at the same moment"),
        ({"status": "refused", "reason": "It is read-only."}, "refused", "It is read-only."),
        ({"status": "odd"}, "refused", "could not edit"),
        (None, "refused", "could not edit"),
    ],
)
async def test_an_edit_that_was_not_made_says_why(
    tmp_path: Path, edited: object, status: str, reason: str
) -> None:
    async with _asking(tmp_path, _holding(ROW, edited=edited)) as documents:
        found = await documents.notebooks(SEAT, [BOOK])
        answer = await found[BOOK].edit([])
    assert answer["status"] == status
    assert reason in answer.get("reason", "")


async def test_a_page_that_fails_while_it_edits_may_have_done_so(tmp_path: Path) -> None:
    async def answers(name: str) -> object:
        if name == NOTEBOOKS:
            return [ROW]
        raise NotReady("broken")

    async with _asking(tmp_path, Page((NOTEBOOKS, EDIT), answers)) as documents:
        found = await documents.notebooks(SEAT, [BOOK])
        answer = await found[BOOK].edit([])
    assert answer["status"] == "lost"
    assert "failed" in answer.get("reason", "")


async def test_a_page_that_has_shown_a_notebook_and_falls_silent_may_still_show_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_silent, rows = False, [ROW]

    async def answers(_: str) -> object:
        if is_silent:
            await asyncio.Event().wait()
        return rows

    monkeypatch.setattr("jupyter_ac.services.llm.open_documents._NOTEBOOKS_TIMEOUT_S", 0.1)
    async with _asking(tmp_path, Page((NOTEBOOKS, EDIT), answers)) as documents:
        assert not (await documents.notebooks(SEAT, [BOOK]))[BOOK].is_silent
        is_silent = True
        other = RepoPath("other.ipynb")
        found = await documents.notebooks(SEAT, [BOOK, other])
        assert found.keys() == {BOOK}
        assert found[BOOK].is_silent
        assert (await found[BOOK].edit([]))["status"] == "refused"
        is_silent, rows = False, []
        assert await documents.notebooks(SEAT, [BOOK]) == {}
        is_silent = True
        assert await documents.notebooks(SEAT, [BOOK]) == {}


async def test_pages_that_cannot_edit_are_not_asked_for_notebooks(tmp_path: Path) -> None:
    page = Page((NOTEBOOKS,), never_answer)
    async with _asking(tmp_path, page) as documents:
        assert await documents.notebooks(SEAT, [BOOK]) == {}
        assert await documents.notebooks(SEAT, []) == {}
        assert page.events == []


async def test_a_source_has_all_names_that_its_file_may_have(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    (repo / "d").mkdir(parents=True)
    (repo / "d" / "a.py").write_text("")
    (repo / "alias.py").symlink_to("d/a.py")
    here = OpenDocuments(Subscribers(), repo)
    assert here.names_of("") == ()
    assert here.names_of("d/a.py") == ("d/a.py",)
    assert here.names_of("./d//a.py") == ("./d//a.py", "d/a.py")
    assert here.names_of("alias.py") == ("alias.py", "d/a.py")
    served = OpenDocuments(Subscribers(), repo, tmp_path)
    assert served.names_of("repo/d/a.py") == ("repo/d/a.py", "d/a.py")
    below = OpenDocuments(Subscribers(), repo, repo / "d")
    assert below.names_of("a.py") == ("a.py", "d/a.py")


async def test_of_a_source_that_is_not_there_each_end_may_be_the_name(tmp_path: Path) -> None:
    documents = OpenDocuments(Subscribers(), tmp_path)
    assert documents.names_of("/repo/d/a.py") == ("/repo/d/a.py", "repo/d/a.py", "d/a.py", "a.py")
    for source in ("http://localhost/d/a.py", "~nobody-here/a://b", "a://\0"):
        assert not {"d/a.py", "a.py", "b"} & set(documents.names_of(source))
