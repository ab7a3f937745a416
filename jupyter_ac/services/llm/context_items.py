"""RPC methods for variables, cells, outputs and errors that are added to the next question."""

import asyncio
import os
from collections.abc import Callable, Mapping
from typing import TypeAlias
from weakref import WeakKeyDictionary

from jupyter_ac.chat.context_items import MAX_ITEMS, ContextItems
from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.images import MAX_IMAGES
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.counts import scale_for
from jupyter_ac.chat.records import now_ms
from jupyter_ac.context_rows import ContextItemGiven, ContextItemRow, RestoredText
from jupyter_ac.errors import Conflict, InvalidParams
from jupyter_ac.events import ContextChanged
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.chat import keep_images
from jupyter_ac.services.subscribers import Subscribers

NamesOf: TypeAlias = Callable[[str], tuple[str, ...]]
"""As `OpenDocuments.names_of`; looks at the disk."""


def _alone(source: str) -> tuple[str, ...]:
    return (source,) if source else ()


class ContextItemMethods:
    """RPC methods for what is added to the next question.

    Args:
        book: the conversations.
        ports: count tokens, and keep images.
        audience: notified of changes.
        names_of: returns the names in the repository that a page's document may have.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        ports: TurnPorts,
        audience: Subscribers,
        names_of: NamesOf = _alone,
    ) -> None:
        self._names_of = names_of
        self._conversations = book
        self._ports = ports
        self._subscribers = audience
        self._turns: WeakKeyDictionary[Conversation, asyncio.Lock] = WeakKeyDictionary()
        self._makers: WeakKeyDictionary[Conversation, ContextItems] = WeakKeyDictionary()

    @method(Access.WRITE, refusal=Refusal)
    async def add_context(self, item: ContextItemGiven) -> ContextItemRow:
        """Add a variable, cell, selection, output or error to the next question.

        It goes out once, as a block of the log that says where it comes from and when. Likely
        secrets in it are replaced by `[secret 1]` and so on before it is kept. Another item of the
        same kind, name and source is replaced. At most 20 can be added; none of an excluded file.
        """
        if not isinstance(item, Mapping):
            raise InvalidParams("item must be an object.").as_fault()
        conversation = await self._conversation()
        given = item.get("images", [])
        if not isinstance(given, list) or len(given) > MAX_IMAGES:
            raise InvalidParams(f"images must be a list of at most {MAX_IMAGES} images.")
        names = await self._require_sent(item.get("source", ""))
        images = await keep_images(self._ports.images, given) if given else ()
        async with self._turn(conversation):
            maker = self._maker(conversation)
            made = await asyncio.to_thread(maker.made, item, images, names)
            waiting = conversation.context_items
            others = [known for known in waiting if known.identity != made.identity]
            if len(others) >= MAX_ITEMS:
                raise Conflict(f"At most {MAX_ITEMS} things can be added; remove one first.")
            again = await asyncio.to_thread(lambda: [maker.masked_again(one) for one in others])
            if conversation.context_items is waiting:  # else a question has taken them meanwhile
                conversation.context_items = (*again, made)
            else:
                conversation.context_items = (*conversation.context_items, made)
            return (await self._publish(conversation))[-1]

    @method(Access.WRITE)
    async def remove_context(self, id: str) -> list[ContextItemRow]:
        """Remove what was added to the next question; answers what is left."""
        conversation = await self._conversation()
        async with self._turn(conversation):
            conversation.context_items = tuple(
                item for item in conversation.context_items if item.item_id != id
            )
            return await self._publish(conversation)

    @method(Access.READ)
    async def get_context_items(self) -> list[ContextItemRow]:
        """List what is added to the next question."""
        return await self._rows(await self._conversation())

    @method(Access.WRITE)
    async def restore_cell_secrets(self, source: str, cell: str, text: str) -> RestoredText:
        """Put masked secrets back into the new text of the very cell that they were found in.

        `source` and `cell` are those of the item that was added. Other placeholders stay.
        """
        maker = self._maker(await self._conversation())
        return {"text": maker.restored(source, cell, text)}

    async def _require_sent(self, source: object) -> tuple[str, ...]:
        """Refuse what comes from an excluded file; return the names that its file may have.

        Args:
            source: as the page has given it: neither masked nor cut.

        Raises:
            RefusedPath: it does.
        """
        if not isinstance(source, str):
            return ()
        names = await asyncio.to_thread(self._names_of, source)
        if names:
            (await self._ports.files.excluded()).require_sent(*names)
        return names

    async def _conversation(self) -> Conversation:
        return await self._conversations.open(current_caller().conversation_key)

    def _turn(self, conversation: Conversation) -> asyncio.Lock:
        """Return the lock by which changes of a conversation's items come one after another."""
        return self._turns.setdefault(conversation, asyncio.Lock())

    def _maker(self, conversation: Conversation) -> ContextItems:
        return self._makers.setdefault(conversation, ContextItems(os.environ, now_ms))

    async def _publish(self, conversation: Conversation) -> list[ContextItemRow]:
        rows = await self._rows(conversation)
        self._subscribers.publish(ContextChanged(rows), conversation.conversation_key)
        return rows

    async def _rows(self, conversation: Conversation) -> list[ContextItemRow]:
        items, ports = conversation.context_items, self._ports
        scale = scale_for(ports.counts, ports.models.choice())
        tokens = await scale.each([item.block() for item in items])
        return [item.row(count) for item, count in zip(items, tokens, strict=True)]
