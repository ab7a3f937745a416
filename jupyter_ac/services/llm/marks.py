"""RPC methods that mark turns: excluded from what is sent, or kept by compactions."""

from collections.abc import Sequence

from jupyter_ac.chat.compaction.marking import MAX_TURNS, exclude, marked_turns, pin
from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.errors import InvalidParams, TooLarge
from jupyter_ac.events import SessionChanged
from jupyter_ac.message_rows import MarkedTurn
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.shapes import ExcludedTurns, PinnedTurns
from jupyter_ac.services.subscribers import Subscribers


class TurnMarkMethods:
    """The marks of a conversation's turns.

    Args:
        book: the conversations.
        ports: the dependencies of a turn.
        audience: notified when the marks change.
    """

    def __init__(self, book: ConversationRegistry, ports: TurnPorts, audience: Subscribers) -> None:
        self._conversations = book
        self._ports = ports
        self._subscribers = audience

    @method(Access.WRITE, refusal=Refusal)
    async def exclude_turns(
        self, request_ids: Sequence[str], excluded: bool = True
    ) -> ExcludedTurns:
        """Send these questions and their answers no more, or again; they are still shown.

        Copies of files that they brought stay in what is sent (`trim_context` takes those out). A
        turn that was pinned isn't any more. Refused while an answer is made.
        """
        conversation = await self._conversation(request_ids)
        effect = await exclude(conversation, self._ports, request_ids, excluded=excluded)
        self._publish(conversation)
        return {
            "status": "ok",
            "tokens_freed": effect.freed,
            "tokens_rewritten": effect.rewritten,
        }

    @method(Access.WRITE, refusal=Refusal)
    async def pin_turns(self, request_ids: Sequence[str], pinned: bool = True) -> PinnedTurns:
        """Keep these questions and their answers word for word through compactions, or no longer.

        Refused for excluded ones, and while an answer is made.
        """
        conversation = await self._conversation(request_ids)
        count = await pin(conversation, self._ports, request_ids, pinned=pinned)
        self._publish(conversation)
        return {"status": "ok", "pinned": count}

    @method(Access.READ)
    async def list_marked_turns(self) -> list[MarkedTurn]:
        """List the current session's excluded and pinned questions, in order, with their tokens.

        Those that a compaction has taken out are left out.
        """
        conversation = await self._conversations.open(current_caller().conversation_key)
        return await marked_turns(conversation, self._ports)

    async def _conversation(self, request_ids: object) -> Conversation:
        if not isinstance(request_ids, list) or not request_ids:
            raise InvalidParams("request_ids must be a list of request ids.").as_fault()
        if not all(isinstance(each, str) for each in request_ids):
            raise InvalidParams("request_ids must be a list of request ids.").as_fault()
        if len(request_ids) > MAX_TURNS:
            raise TooLarge(f"At most {MAX_TURNS:,} questions can be named.").as_fault()
        conversation = await self._conversations.open(current_caller().conversation_key)
        await self._conversations.refresh(conversation)
        return conversation

    def _publish(self, conversation: Conversation) -> None:
        self._subscribers.publish(
            SessionChanged(conversation.session.snapshot()), conversation.conversation_key
        )
