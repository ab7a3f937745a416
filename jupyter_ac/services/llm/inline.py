"""RPC method that completes code at the cursor."""

import asyncio
import os
from collections.abc import Coroutine, Mapping, Sequence
from typing import Final, TypedDict

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.inline.code_place import CodePlace
from jupyter_ac.chat.inline.completer import CodeCompletion, InlineCompleter
from jupyter_ac.chat.records import message_usage
from jupyter_ac.errors import InvalidParams, RefusedPath, TooLarge
from jupyter_ac.git.excluded_paths import ReadExcluded
from jupyter_ac.git.ignored_paths import ignored_each
from jupyter_ac.git.likely_secrets import has_secret_name
from jupyter_ac.git.path_lookup import find
from jupyter_ac.git.repository import Repository
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.notebook.cell_selection import WHOLE
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import BILLED, Access, Refusal, method
from jupyter_ac.services.llm.commit_work import Spent
from jupyter_ac.services.llm.open_documents import OpenDocuments
from jupyter_ac.usage_rows import MessageUsage

MAX_CHARS: Final = 200_000
"""Of a place with its surroundings; a page sends less."""

MAX_CELLS: Final = 200


class CodeCell(TypedDict):
    """A cell beside the cursor's.

    Attributes:
        id: of the notebook's cell; what the user has excluded isn't sent.
        text: of the cell.
    """

    id: str
    text: str


class InlineCompletion(TypedDict):
    """What a model suggests at the cursor.

    Attributes:
        text: to be inserted; "" for nothing.
        model: who suggests it; "" when nobody was asked.
        usage: what that used.
        superseded: a later call of the same page has ended this one.
    """

    text: str
    model: str
    usage: MessageUsage | None
    superseded: bool


_SUPERSEDED: Final[InlineCompletion] = {
    "text": "",
    "model": "",
    "usage": None,
    "superseded": True,
}


class InlineMethods:
    """RPC methods for completions at the cursor.

    Args:
        repository: whose files may be sent.
        book: the conversations.
        documents: know the paths of a page's documents.
        completer: asks the model.
        spent: stores what a completion has cost.
        excluded: returns the files of which nothing is sent.
    """

    def __init__(
        self,
        repository: Repository,
        book: ConversationRegistry,
        documents: OpenDocuments,
        completer: InlineCompleter,
        spent: Spent,
        excluded: ReadExcluded,
    ) -> None:
        self._excluded = excluded
        self._repository = repository
        self._conversations = book
        self._documents = documents
        self._completer = completer
        self._spent = spent
        self._running: dict[ConversationKey, asyncio.Task[CodeCompletion]] = {}

    @method(Access.WRITE, refusal=Refusal, rules=BILLED)
    async def complete_inline(
        self,
        path: str,
        prefix: str,
        suffix: str = "",
        language: str = "",
        before: Sequence[CodeCell] | None = None,
        after: Sequence[CodeCell] | None = None,
    ) -> InlineCompletion:
        """Suggest what comes at the cursor of a document; a later call of the page ends this one.

        Sent is what is near the cursor, without likely secrets. Files that git ignores, those that
        look like secrets by their name, excluded files and excluded cells are not sent. It is off
        unless `inline_completion.enabled` is set. A caller that leaves ends the request.

        Args:
            path: of the document, in the repository or as `server:/…` under the server's root.
            prefix: the text before the cursor.
            suffix: the text behind it.
            language: of the code.
            before: the cells above, in their order.
            after: the cells below.
        """
        cells = _cells(before, "before"), _cells(after, "after")
        _require_size(prefix, suffix, *(cell["text"] for part in cells for cell in part))
        key = current_caller().conversation_key
        conversation = await self._conversations.open(key)

        async def work() -> CodeCompletion:
            choice = await self._completer.admit()
            name = await self._sendable(path)
            above, below = (_shown(conversation, name, part) for part in cells)
            place = CodePlace(name, language[:40], prefix, suffix, above, below)
            return await self._completer.complete(choice, place)

        found = await self._newest(key, work())
        if found is None:
            return _SUPERSEDED
        session = conversation.session
        session.side.append(found.result.usage)
        await self._spent(key, session.session_id, "inline", found.result)
        return {
            "text": found.text,
            "model": found.result.model,
            "usage": message_usage(found.result.usage),
            "superseded": False,
        }

    async def _newest(
        self, key: ConversationKey, work: Coroutine[object, object, CodeCompletion]
    ) -> CodeCompletion | None:
        """End what this page has asked before, then do this; None if something later ends it."""
        earlier = self._running.get(key)
        if earlier is not None:
            earlier.cancel()
        task = self._running[key] = asyncio.create_task(work)
        try:
            await asyncio.wait({task})
        finally:
            task.cancel()
            if self._running.get(key) is task:
                del self._running[key]
        return None if task.cancelled() else task.result()

    async def _sendable(self, path: str) -> RepoPath:
        """Return the path of a document that may be sent.

        Raises:
            RefusedPath: it lies outside, is excluded, git ignores it, or it looks like a secret.
        """
        named = await asyncio.to_thread(self._documents.path_of, path)
        if named is None:
            raise RefusedPath(f"{path[:200]!r} is not in this repository.")
        located = await find(self._repository, named)
        name, real = located.path, located.real.relative_to(self._repository.root)
        (await self._excluded()).require_sent(name, os.fspath(real))
        if has_secret_name(name):
            raise RefusedPath(f"{name!r} looks like a secret by its name; nothing of it is sent.")
        found = await ignored_each(self._repository, [name])
        if found.ignored or found.failed:
            raise RefusedPath(f"git ignores {name!r}; nothing of it is sent.")
        return name


def _cells(given: object, argument: str) -> list[CodeCell]:
    if given is None:
        return []
    if not isinstance(given, list) or len(given) > MAX_CELLS:
        raise InvalidParams(f"{argument} must be a list of at most {MAX_CELLS} cells.")
    cells: list[CodeCell] = []
    for cell in given:
        found = cell if isinstance(cell, Mapping) else {}
        name, text = found.get("id"), found.get("text")
        if not isinstance(name, str) or not isinstance(text, str):
            raise InvalidParams(f"Each of {argument} must have an id and a text.")
        cells.append({"id": name, "text": text})
    return cells


def _require_size(*texts: str) -> None:
    if sum(map(len, texts)) > MAX_CHARS:
        raise TooLarge(f"More than {MAX_CHARS:,} characters around the cursor; send less.")


def _shown(conversation: Conversation, path: RepoPath, cells: list[CodeCell]) -> tuple[str, ...]:
    """Return the texts of the cells that the user hasn't excluded; none if that can't be known."""
    excluded = conversation.notebook_views.get(path, WHOLE).excluded
    names = {cell["id"] for cell in cells}
    if excluded and not excluded.keys() & names:
        return ()
    return tuple(cell["text"] for cell in cells if cell["id"] not in excluded)
