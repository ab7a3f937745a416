"""Trust in the history: whether the caller has written it, and marking it as trusted."""

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.history.trust import MOST_LOOKED_AT, HistoryTrust
from jupyter_ac.chat.records import UNTRUSTED
from jupyter_ac.events import SessionChanged
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.selection import selection_event
from jupyter_ac.services.llm.shapes import HistoryTrusted, HistoryTrustState
from jupyter_ac.services.subscribers import Subscribers


class TrustMethods:
    """The trust in a person's history in this repository.

    Args:
        book: the conversations.
        trust: reads the marks, and sets them.
        audience: notified when the current session changes.
    """

    def __init__(
        self, book: ConversationRegistry, trust: HistoryTrust, audience: Subscribers
    ) -> None:
        self._conversations = book
        self._trust = trust
        self._subscribers = audience

    @method(Access.READ)
    async def get_history_trust(self) -> HistoryTrustState:
        """Say whether there are conversations that the caller has not kept here.

        They came with the repository, or were kept before there were marks, or elsewhere. They are
        shown; nothing of them is sent, applied or taken back until `trust_history`.
        """
        caller = current_caller()
        conversation = await self._conversations.open(caller.conversation_key)
        is_own = conversation.session.is_own
        foreign = await self._trust.foreign(caller.identity)
        return {
            "foreign_sessions": foreign,
            "current_trusted": is_own,
            "message": _message(foreign, is_own=is_own),
        }

    @method(Access.EXECUTE, refusal=Refusal)
    async def trust_history(self) -> HistoryTrusted:
        """Take all conversations of the caller for their own; they go on, and are sent, from then.

        Refused while an answer is made.
        """
        caller = current_caller()
        conversation = await self._conversations.open(caller.conversation_key)
        conversation.require_idle("trusting the history")
        found = await self._trust.trust(caller.identity)
        await self._conversations.reopen(conversation)
        self._subscribers.publish(
            SessionChanged(conversation.session.snapshot()), caller.conversation_key
        )
        self._subscribers.publish(selection_event(conversation), caller.conversation_key)
        return {"status": "ok", "trusted": found.trusted, "refused": found.refused}


def _message(foreign: int, *, is_own: bool) -> str:
    if not is_own:
        return UNTRUSTED
    if not foreign:
        return ""
    whose = (
        "not kept by you here, but by an earlier version, in another place, or by whoever gave you "
        "this repository."
    )
    if foreign == 1:
        return (
            f"1 conversation was {whose} It can be read; nothing of it is sent until you trust it."
        )
    count = f"{foreign:,} conversations" + (" or more" if foreign >= MOST_LOOKED_AT else "")
    return f"{count} were {whose} They can be read; nothing of them is sent until you trust them."
