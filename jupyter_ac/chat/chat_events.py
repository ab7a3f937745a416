"""The events of a chat on the event bus: starts and ends of turns, and updates for the pages."""

from collections.abc import Collection
from dataclasses import dataclass

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.events import Event
from jupyter_ac.ids import ConversationKey
from jupyter_ac.models.client import ModelInfo


@dataclass(frozen=True, slots=True)
class PageEvent:
    """An event for the pages that show one conversation.

    Attributes:
        event: as it goes over the wire.
        seat: whose pages get it.
        but: peers that are left out.
    """

    event: Event
    seat: ConversationKey
    but: Collection[object] = ()


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A question was asked; no stage of its turn has run yet.

    Attributes:
        conversation: where it was asked.
        record: of the turn.
    """

    conversation: Conversation
    record: TurnRecord


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn has ended and is stored; its conversation is free for the next question.

    Attributes:
        conversation: where it was asked.
        record: of the turn.
        info: what is known of its model; None when there was none.
        has_whole_log: its prompt held the whole log, as the model has room for it.
    """

    conversation: Conversation
    record: TurnRecord
    info: ModelInfo | None
    has_whole_log: bool
