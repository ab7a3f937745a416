"""RPC methods for the mode: code or documents, and whether the model gets the map of both."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, NotRequired, TypedDict

from jupyter_ac.chat.chat_events import SystemEventRecorder
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.ports import Enrichment, Maps, MapState
from jupyter_ac.chat.records import Focus
from jupyter_ac.errors import InvalidParams
from jupyter_ac.events import Mode, ModeChange, ModeChanged
from jupyter_ac.ids import ConversationKey
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.subscribers import Subscribers

_NOT_READY: Final = "The index isn't ready yet; try again in a moment."
_NAMES: Final[Mapping[str, str]] = {"code": "code", "doc": "document"}
_KINDS: Final[Mapping[Mode, str]] = {"code": "code", "doc": "documents"}
_WAIT_S: Final = 5.0


class ModeState(TypedDict):
    """The mode that is on, and how far the indexes are.

    Attributes:
        symbol_index_ready: the map of code can be sent.
        symbol_index_building: it is being made.
        doc_index_ready: the map of documents can be sent.
        doc_index_building: it is being made.
        doc_index_enriched: its sections have keywords.
        enrichment_status: how far the keywords are.
        cross_ref_ready: the other mode's map can be sent beside this mode's.
        message: why there is no index, or none of the whole tree; "" when there is or will be.
    """

    mode: Mode
    cross_ref_enabled: bool
    symbol_index_ready: bool
    symbol_index_building: bool
    doc_index_ready: bool
    doc_index_building: bool
    doc_index_enriched: bool
    enrichment_status: Enrichment
    cross_ref_ready: bool
    message: str


class ModeSwitched(TypedDict):
    """The mode that is on.

    Attributes:
        message: what has happened, or why nothing has, in a sentence.
        building: the index that the mode needs isn't ready; the mode is as it was.
        keywords_available: the sections of documents have keywords.
        keywords_message: what is with the keywords; "" when all is well.
    """

    mode: Mode
    cross_ref_enabled: bool
    message: str
    building: NotRequired[bool]
    keywords_available: NotRequired[bool]
    keywords_message: NotRequired[str]


class CrossReference(TypedDict):
    """What came of switching the other mode's map on or off.

    Attributes:
        status: `not_ready`: the other index is being made; `error`: there is none.
        items_added: files that the other map shows; with `enabled`.
        tokens_added: of the other map; with `enabled`.
    """

    status: Literal["enabled", "disabled", "no_change", "not_ready", "error"]
    cross_ref_enabled: bool
    message: str
    items_added: NotRequired[int]
    tokens_added: NotRequired[int]


_OFF: Final[CrossReference] = {
    "status": "disabled",
    "cross_ref_enabled": False,
    "message": "The map of the other kind goes out no more.",
}


class ModeMethods:
    """The mode of the caller's conversation.

    Args:
        book: the conversations.
        maps: of the repository.
        audience: notified of changes.
        events: the log in which a switch is recorded.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        maps: Maps,
        audience: Subscribers,
        events: SystemEventRecorder,
    ) -> None:
        self._conversations = book
        self._maps = maps
        self._subscribers = audience
        self._events = events

    @method(Access.READ)
    async def get_mode(self) -> ModeState:
        """Return the mode that is on, and how far the indexes are."""
        focus = (await self._conversations.open(current_caller().conversation_key)).focus
        state = self._maps.state()
        return {
            "mode": focus.mode,
            "cross_ref_enabled": focus.cross_ref,
            "symbol_index_ready": state.code_ready,
            "symbol_index_building": state.code_building,
            "doc_index_ready": state.doc_ready,
            "doc_index_building": state.doc_building,
            "doc_index_enriched": state.enrichment == "complete",
            "enrichment_status": state.enrichment,
            "cross_ref_ready": is_ready(state, other(focus.mode)) and not state.off,
            "message": state.message,
        }

    @method(Access.WRITE, refusal=Refusal)
    async def switch_mode(self, mode: str) -> ModeSwitched:
        """Work on documents (`doc`) or on code (`code`) from the next question on.

        The conversation and the selection stay; the cross-reference goes off.
        """
        conversation_key = current_caller().conversation_key
        conversation = await self._conversations.open(conversation_key)
        focus, state = conversation.focus, self._maps.state()
        if mode not in _NAMES:
            raise InvalidParams(f"There is no mode {mode[:64]!r}; there are 'code' and 'doc'.")
        if mode == focus.mode:
            return _standing(focus, f"The {_NAMES[mode]} mode is on already.")
        if mode == "doc" and not state.doc_ready:
            answer = _standing(focus, state.message or _NOT_READY)
            return {**answer, "building": not state.message}
        turned = Focus("doc" if mode == "doc" else "code")
        await self._conversations.set_focus(conversation, turned)
        message = f"The {_NAMES[mode]} mode is on from the next question on."
        self._publish(conversation_key, turned)
        await self._events.note(conversation_key, conversation.session.session_id, "mode", message)
        switched = _standing(turned, message)
        return _with_keywords(switched, state) if mode == "doc" else switched

    @method(Access.WRITE, refusal=Refusal)
    async def set_cross_reference(self, enabled: bool) -> CrossReference:
        """Show the model the map of the other kind as well, or not."""
        conversation_key = current_caller().conversation_key
        conversation = await self._conversations.open(conversation_key)
        focus = conversation.focus
        if enabled == focus.cross_ref:
            message = f"The cross-reference is {'on' if enabled else 'off'} already."
            return {"status": "no_change", "cross_ref_enabled": enabled, "message": message}
        answer = await self._switch_on(focus) if enabled else _OFF
        if answer["cross_ref_enabled"] != enabled:
            return answer
        turned = replace(focus, cross_ref=enabled)
        await self._conversations.set_focus(conversation, turned)
        self._publish(conversation_key, turned)
        return answer

    async def _switch_on(self, focus: Focus) -> CrossReference:
        """Return the result of switching the other map on."""
        kind = other(focus.mode)
        state = self._maps.state()
        can_be_had = is_ready(state, kind) and not state.off
        found = await self._maps.head(kind, _WAIT_S) if can_be_had else None
        if found is None:
            why = state.off or state.message
            status: Literal["error", "not_ready"] = "error" if why else "not_ready"
            message = why or _NOT_READY
            return {"status": status, "cross_ref_enabled": False, "message": message}
        if not found.text:
            message = f"The repository has no {_KINDS[kind]} that a map could show."
            return {"status": "error", "cross_ref_enabled": False, "message": message}
        return {
            "status": "enabled",
            "cross_ref_enabled": True,
            "message": f"The map of the {_KINDS[kind]} goes out with the next question, too.",
            "items_added": found.files,
            "tokens_added": found.tokens,
        }

    def _publish(self, conversation_key: ConversationKey, focus: Focus) -> None:
        change: ModeChange = {"mode": focus.mode, "cross_ref_enabled": focus.cross_ref}
        self._subscribers.publish(ModeChanged(change), conversation_key)


def other(mode: Mode) -> Mode:
    """Return the other mode."""
    return "code" if mode == "doc" else "doc"


def is_ready(state: MapState, mode: Mode) -> bool:
    """Return whether the map of a mode is available."""
    return state.doc_ready if mode == "doc" else state.code_ready


def _standing(focus: Focus, message: str) -> ModeSwitched:
    return {"mode": focus.mode, "cross_ref_enabled": focus.cross_ref, "message": message}


def _with_keywords(answer: ModeSwitched, state: MapState) -> ModeSwitched:
    is_done = state.enrichment == "complete"
    message = "" if is_done else "The documents' sections have no keywords yet."
    return {**answer, "keywords_available": is_done, "keywords_message": message}
