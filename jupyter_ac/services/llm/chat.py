"""RPC methods: starts and stops an answer, and subscribes to its stream."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from jupyter_ac.chat.conversation import Conversation, ConversationBook
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.errors import NotFound
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.delivery import Deliveries
from jupyter_ac.services.llm.images import keep_images
from jupyter_ac.services.llm.selection import require_paths, selection_event
from jupyter_ac.services.llm.shapes import AttachedStream, ChatCancelling, ChatStarted
from jupyter_ac.services.subscribers import Subscribers

KEPT_S: Final = 1.0
"""How long the answer to a question's asker waits for the disk."""


class ChatMethods:
    """RPC methods for running answers.

    Args:
        book: the conversations.
        turns: runs them.
        deliveries: sends their streams.
        audience: notified of a selection that came with a question.
        images: the store of the images that come with questions.
    """

    def __init__(
        self,
        book: ConversationBook,
        turns: Turns,
        deliveries: Deliveries,
        audience: Subscribers,
        images: ImageFolder,
    ) -> None:
        self._images = images
        self._book = book
        self._turns = turns
        self._deliveries = deliveries
        self._audience = audience

    @method(Access.WRITE, refusal=Refusal)
    async def chat_streaming(
        self,
        request_id: str,
        message: str,
        files: Sequence[object] | None = None,
        images: Sequence[object] | None = None,
        *_further: object,
    ) -> ChatStarted:
        """Ask; answers `{status: "started"}` once the question is kept, then the answer streams.

        `images` holds up to five data URIs, or ids that `put_image` gave.
        What else clients send (excluded_urls, agent_tag, reasoning, effort) is accepted and
        has no effect yet.
        """
        if files is not None:
            require_paths(files)
        caller = current_caller()
        conversation = await self._book.open(caller.seat)
        ask = ChatRequest(request_id, message, caller.peer)
        self._turns.check(conversation, ask)
        if images:
            ask = replace(ask, images=await keep_images(self._images, images))
        if files:
            ask = replace(ask, unknown=await self._take_selection(conversation, files))
        stream = self._turns.start(conversation, ask)
        self._deliveries.follow(caller.peer, stream)
        with suppress(TimeoutError):  # a slow disk must not delay it
            await asyncio.wait_for(stream.asked.wait(), KEPT_S)
        return {"status": "started"}

    @method(Access.WRITE, is_urgent=True, refusal=Refusal)
    async def cancel_streaming(self, request_id: str) -> ChatCancelling:
        """Stop an answer; its `streamComplete` follows, with what was written so far."""
        conversation = await self._book.open(current_caller().seat)
        self._turns.stop(conversation, request_id)
        return {"status": "cancelling", "success": True}

    @method(Access.READ)
    async def attach_stream(self, request_id: str) -> AttachedStream:
        """Give an answer so far and stream the rest of it to this connection as well."""
        caller = current_caller()
        conversation = await self._book.open(caller.seat)
        stream = conversation.running(request_id)
        if stream is None:
            return _finished(conversation, request_id)
        text = stream.text
        self._deliveries.follow(caller.peer, stream)
        return AttachedStream(
            text=text,
            length=utf16_length(text),
            request_id=request_id,
            done=False,
            state="running",
            finish_reason=None,
            reasoning=stream.thoughts.text,
        )

    async def _take_selection(
        self, conversation: Conversation, files: Sequence[object]
    ) -> tuple[str, ...]:
        """Make the files of a question the selection, as the sender intends.

        Returns:
            The names without a file.
        """
        kept = await self._book.select(conversation, files)
        self._audience.publish(selection_event(conversation), conversation.seat)
        return await self._book.unknown(files) if len(kept) < len(files) else ()


def _finished(conversation: Conversation, request_id: str) -> AttachedStream:
    turn = conversation.session.turn(request_id)
    if turn is None:
        raise NotFound(f"No answer is or was made under {request_id[:64]}.")
    attached = AttachedStream(
        text=turn.answer,
        length=utf16_length(turn.answer),
        request_id=request_id,
        done=True,
        state=turn.state.value,
        finish_reason=turn.finish_reason,
        reasoning=turn.reasoning,
    )
    if turn.failure is not None:
        attached["error"] = turn.failure.message
    if turn.notices:
        attached["notices"] = list(turn.notices)
    return attached
