"""Wire types of the messages of a conversation, in events, answers and exports."""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from jupyter_ac.answer_rows import ImageRow
from jupyter_ac.edit_rows import MessageEdits
from jupyter_ac.tool_rows import RunRow
from jupyter_ac.usage_rows import MessageUsage

MessageState: TypeAlias = Literal["done", "cancelled", "error"]
ContextStanding: TypeAlias = Literal["excluded", "pinned", "compacted"]


class AskedQuestion(TypedDict):
    """A question that a page of the same person has just sent.

    Attributes:
        content: the user's text.
        request_id: the sending page's identifier of the turn, for `attach_stream`.
        images: its images, for `get_image`.
        recorded: its answer is recorded: no model makes it.
    """

    content: str
    request_id: str
    images: NotRequired[list[ImageRow]]
    recorded: NotRequired[bool]


class MessageError(TypedDict):
    """Why an answer failed.

    Attributes:
        type: an error type of the table of errors.
        message: one or two sentences for the user.
    """

    type: str
    message: str


class ChatMessage(MessageEdits):
    """One message of a conversation; an unfinished answer is not included.

    Attributes:
        role: `system` for events beside the conversation, classified by `kind`.
        request_id: the same for a question and its answer; a system event has its own.
        state: `cancelled` and `error` on answers only; then their content is the part received
            before.
        kind: of a system event: `commit`, `reset`, `mode`, `compaction`, `review_started` or
            `review_ended`.
        turn_id: on answers.
        model: the answering model; on answers.
        error: with the state `error`.
        usage: if the provider reported it.
        notices: sentences for the user about the turn.
        finish_reason: the provider's reason for the end; `length`: the answer was cut.
        reasoning: the model's reasoning before the answer, from models that show it.
        images: images of a question, for `get_image`.
        agent_tag: which of its agents the client named with the question.
        run: the agent's run that made the answer.
        context: of an answered question and its answer: `excluded` by the user from what is sent;
            `pinned`, so that a compaction keeps them; `compacted`, so that they are sent only as
            a part of a summary, or not at all. Missing: they are sent as they are.
        content_left_out: number of UTF-16 code units missing from a very long content;
            `get_message_text` returns them.
        reasoning_left_out: likewise.
    """

    role: Literal["user", "assistant", "system"]
    content: str
    request_id: str
    state: MessageState
    kind: NotRequired[str]
    turn_id: NotRequired[str]
    model: NotRequired[str]
    error: NotRequired[MessageError]
    usage: NotRequired[MessageUsage]
    notices: NotRequired[list[str]]
    finish_reason: NotRequired[str]
    reasoning: NotRequired[str]
    images: NotRequired[list[ImageRow]]
    agent_tag: NotRequired[str]
    run: NotRequired[RunRow]
    context: NotRequired[ContextStanding]
    content_left_out: NotRequired[int]
    reasoning_left_out: NotRequired[int]


class MarkedTurn(TypedDict):
    """A question with its answer that the user has excluded from what is sent, or pinned.

    Attributes:
        name: the beginning of the question, on one line.
        tokens: that are sent for both when it is pinned; that each request has less when it is
            excluded.
    """

    request_id: str
    name: str
    tokens: int
    context: Literal["excluded", "pinned"]


class MarkedTotals(TypedDict):
    """The questions of the session that are excluded and pinned, with their answers.

    Those that a compaction has taken out are left out.

    Attributes:
        excluded: how many.
        excluded_tokens: that each request has less.
        pinned: how many.
        pinned_tokens: that compactions keep word for word.
    """

    excluded: int
    excluded_tokens: int
    pinned: int
    pinned_tokens: int


class SessionSnapshot(TypedDict):
    """The newest part of a conversation.

    Attributes:
        messages: oldest first; all of them, unless they are very many or very long.
        earlier: number of messages before them, for `get_session_messages`.
    """

    session_id: str
    messages: list[ChatMessage]
    earlier: int
