"""Asks a person's JupyterLab pages for their open documents, and has them edit open notebooks.

A page in JupyterLab lists the three requests. Paths of documents are relative to the repository,
absolute, below `~`, or `server:/` and a path relative to the Jupyter server's root, which the page
may not know: Notebook 7 tells it to none.
"""

import asyncio
import logging
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeGuard, cast
from weakref import WeakKeyDictionary

from jupyter_ac.chat.open_notebooks import OpenNotebook
from jupyter_ac.errors import AcError, TimedOut
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.notebook.open_notebook import open_notebook_text
from jupyter_ac.notebook_rows import (
    CellOperation,
    NotebookCell,
    NotebookEdit,
    NotebookEdited,
    OpenNotebookRow,
)
from jupyter_ac.rpc.context import current_caller, is_called
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.subscribers import Subscribers

log = logging.getLogger(__name__)

UNSAVED: Final = "AcApp.getUnsavedFiles"
NOTEBOOKS: Final = "AcApp.getOpenNotebooks"
EDIT: Final = "AcApp.applyNotebookEdit"

_TIMEOUT_S: Final = 0.5
_NOTEBOOKS_TIMEOUT_S: Final = 2.0
_EDIT_TIMEOUT_S: Final = 10.0
_MOST: Final = 1000
_OF_SERVER: Final = "server:/"
_KINDS: Final = frozenset({"code", "markdown", "raw"})


@dataclass(frozen=True, slots=True)
class _Holder:
    """A page that has a notebook open."""

    page: Peer
    row: OpenNotebookRow
    is_asking: bool

    @property
    def rank(self) -> tuple[bool, int]:
        """The order in which pages are chosen: the asking one, then the most recently used."""
        return not self.is_asking, self.row["idle_ms"]


class OpenDocuments:
    """Asks the pages that support these requests.

    Args:
        audience: the connected pages.
        root: the repository's top folder.
        server_root: the Jupyter server's root; None where there is no such server.
    """

    def __init__(self, audience: Subscribers, root: Path, server_root: Path | None = None) -> None:
        self._subscribers = audience
        self._root = root
        self._server_root = server_root
        self._shown: WeakKeyDictionary[Peer, set[RepoPath]] = WeakKeyDictionary()

    async def unsaved(self, conversation_key: ConversationKey) -> frozenset[RepoPath]:
        """Return the files that a person has open with unsaved changes.

        All the person's pages are asked, also those beside this conversation; one that
        doesn't answer soon has none.
        """
        pages = self._pages(conversation_key, UNSAVED)
        answers = await asyncio.gather(*(_ask(page, UNSAVED, (), _TIMEOUT_S) for page in pages))
        names = [name for answer in answers for name in answer or () if isinstance(name, str)]
        return await asyncio.to_thread(lambda: frozenset(self._inside(names)))

    async def notebooks(
        self,
        conversation_key: ConversationKey,
        paths: Collection[RepoPath],
        outputs: Collection[str] = (),
    ) -> Mapping[RepoPath, OpenNotebook]:
        """Return those of some notebooks that a person has open, as they are at this moment.

        Of several pages with the same notebook, the one that has asked is used, or else the one in
        which the notebook was used last. Only this page is asked to edit it.

        Args:
            conversation_key: of the person.
            paths: files of the repository.
            outputs: ids of cells that are wanted with their outputs.
        """
        wanted = list(paths), sorted(outputs)
        pages = self._pages(conversation_key, NOTEBOOKS) if paths else []
        asked = [page for page in pages if EDIT in page.remote_methods]
        if not asked:
            return {}
        answers = await asyncio.gather(
            *(_ask(page, NOTEBOOKS, wanted, _NOTEBOOKS_TIMEOUT_S) for page in asked)
        )
        asker = current_caller().peer if is_called() else None
        holders = [
            _Holder(page, row, page is asker)
            for page, answer in zip(asked, answers, strict=True)
            for row in filter(_is_notebook_row, answer or ())
        ]
        for page, answer in zip(asked, answers, strict=True):
            if answer is not None:
                self._shown.setdefault(page, set()).difference_update(paths)
        silent = {
            path
            for page, answer in zip(asked, answers, strict=True)
            for path in (self._shown.get(page, ()) if answer is None else ())
        }
        return await asyncio.to_thread(self._chosen, holders, set(paths), silent)

    def path_of(self, name: str) -> RepoPath | None:
        """Return the path in the repository of a document of a page; None if it is elsewhere.

        Looks at the disk.

        Args:
            name: in the repository, or `server:/…` under the Jupyter server's root.
        """
        return next(self._inside([name]), None)

    def names_of(self, source: str) -> tuple[str, ...]:
        """Return all names that a file may have in the repository, by what a page calls it.

        Looks at the disk. If no such file is there, the end of the name may be all that is known
        of it: the Jupyter server's root may be another than this host's, and pages cut long names
        at their beginning.

        Args:
            source: relative to the repository or to the Jupyter server's root.
        """
        if not source:
            return ()
        found = list(dict.fromkeys(self._inside([source, f"{_OF_SERVER}{source}"])))
        names = [source, *found]
        if "://" not in source and not any(map(self._exists, found)):
            parts = source.strip("/").split("/")
            names += ["/".join(parts[at:]) for at in range(len(parts))]
        return tuple(dict.fromkeys(names))

    def _exists(self, path: RepoPath) -> bool:
        return os.path.lexists(self._root / path)

    def _pages(self, conversation_key: ConversationKey, request: str) -> list[Peer]:
        pages = self._subscribers.pages_of(conversation_key.identity)
        return [page for page in pages if request in page.remote_methods]

    def _inside(self, names: Sequence[str]) -> Iterator[RepoPath]:
        """Return the names that are in the repository; for a link, also its target."""
        top = Path(os.path.realpath(self._root))
        for name in names:
            try:
                place = self._place(name)
                for real in (Path(os.path.realpath(place.parent), place.name), place.resolve()):
                    if real != top and real.is_relative_to(top):
                        yield RepoPath(real.relative_to(top).as_posix())
            except (OSError, RuntimeError, ValueError) as error:
                log.debug("the name of an open file is not usable: %s", error)

    def _place(self, name: str) -> Path:
        if not name.startswith(_OF_SERVER):
            return self._root / Path(name).expanduser()
        if self._server_root is None:
            raise ValueError("this host has no Jupyter server")
        return self._server_root / name.removeprefix(_OF_SERVER).lstrip("/")

    def _chosen(
        self,
        holders: Sequence[_Holder],
        paths: Collection[RepoPath],
        silent: Collection[RepoPath],
    ) -> Mapping[RepoPath, OpenNotebook]:
        found: dict[RepoPath, OpenNotebook] = {}
        for holder in sorted(holders, key=lambda each: each.rank):
            row = holder.row
            for path in self._inside([row["path"]]):
                if path not in paths or path in found:
                    continue
                try:
                    file = open_notebook_text(row["language"], row["cells"], row["nbformat_minor"])
                except AcError as error:
                    log.warning("the open notebook %r is not used: %s", path, error)
                    continue
                found[path] = OpenNotebook(file, partial(_edit, holder.page, row["path"], path))
                self._shown.setdefault(holder.page, set()).add(path)
        quiet = {path: _SILENT for path in paths if path in silent and path not in found}
        return {**found, **quiet}


async def _ask(
    page: Peer, request: str, args: Sequence[object], timeout_s: float
) -> list[object] | None:
    """Return a page's answer; None if it is connected and gives none in time."""
    try:
        answer = await page.call(request, *args, timeout_s=timeout_s)
    except TimedOut as error:
        log.debug("a page did not answer %s in time: %s", request, error)
        return None
    except AcError as error:
        log.debug("a page did not answer %s: %s", request, error)
        return []
    return answer[:_MOST] if isinstance(answer, list) else []


async def _edit(
    page: Peer, name: str, path: RepoPath, operations: Sequence[CellOperation]
) -> NotebookEdited:
    """Have a page edit a notebook; a page that doesn't answer may have done it nevertheless."""
    edit: NotebookEdit = {"path": name, "file": path, "operations": list(operations)}
    try:
        answer = await page.call(EDIT, edit, timeout_s=_EDIT_TIMEOUT_S)
    except AcError as error:
        reason = f"The page with the notebook failed: {error.message}"
        return {"status": "lost", "reason": reason}
    if not isinstance(answer, dict) or answer.get("status") not in {"applied", "changed"}:
        said = answer.get("reason") if isinstance(answer, dict) else None
        text = said if isinstance(said, str) else "The page could not edit the notebook."
        return {"status": "refused", "reason": text[:500]}
    if answer["status"] == "applied":
        return {"status": "applied"}
    return {
        "status": "changed",
        "reason": "A cell was changed in the notebook at the same moment; ask for the edit again.",
    }


async def _no_answer(_operations: Sequence[CellOperation]) -> NotebookEdited:
    return {"status": "refused", "reason": "The page with the notebook doesn't answer."}


_SILENT: Final = OpenNotebook("", _no_answer, is_silent=True)


def _is_notebook_row(row: object) -> TypeGuard[OpenNotebookRow]:
    """Tell whether a page's row has all that is used, with cells of valid types."""
    if not isinstance(row, dict):
        return False
    if not all(isinstance(row.get(name), int) for name in ("nbformat_minor", "idle_ms")):
        return False
    types = {"path": str, "language": str, "cells": list, "unsaved": bool}
    return all(isinstance(row.get(name), type_) for name, type_ in types.items()) and all(
        map(_is_cell, row["cells"])
    )


def _is_cell(cell: object) -> bool:
    if not isinstance(cell, dict) or cell.get("cell_type") not in _KINDS:
        return False
    tags = cast("NotebookCell", cell).get("tags", [])
    return (
        isinstance(cell.get("id"), str)
        and isinstance(cell.get("source"), str)
        and isinstance(tags, list)
        and all(isinstance(tag, str) for tag in tags)
    )
