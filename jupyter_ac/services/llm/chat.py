"""RPC methods for an answer: start, stop, subscribe to its stream, upload the question's images."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypedDict, get_args

from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.images import QuestionImage, check_count, is_name, read_data_uri
from jupyter_ac.chat.streams import utf16_length
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.errors import AccessDenied, InvalidParams, NotFound
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import BILLED, Access, Refusal, method
from jupyter_ac.services.llm.delivery import Deliveries
from jupyter_ac.services.llm.page_fetching import PageFetching
from jupyter_ac.services.llm.selection import require_paths, selection_event
from jupyter_ac.services.llm.shapes import AttachedStream, ChatCancelling, ChatStarted
from jupyter_ac.services.llm.urls import require_urls
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.tool_rows import AgentMode


class PutImage(TypedDict):
    """An image that is kept.

    Attributes:
        id: names it in `chat_streaming` and `get_image`.
        mime: what it is, by its content.
        bytes: its size.
    """

    id: str
    mime: str
    bytes: int


class GotImage(TypedDict):
    """An image as a page shows it."""

    data_uri: str


class ImageMethods:
    """RPC methods for the images of a repository's conversations.

    Args:
        store: the image store.
    """

    def __init__(self, store: ImageFolder) -> None:
        self._store = store

    @method(Access.WRITE)
    async def put_image(self, data_uri: str) -> PutImage:
        """Keep a PNG, JPEG, GIF or WebP image of at most 5 MB for a question to come."""
        image = await asyncio.to_thread(read_data_uri, data_uri, "data_uri")
        await self._store.put(image)
        return {"id": image.name, "mime": image.mime, "bytes": len(image.data)}

    @method(Access.READ)
    async def get_image(self, image_id: str) -> GotImage:
        """Give an image by its id."""
        image = await self._store.get(image_id)
        return {"data_uri": await asyncio.to_thread(lambda: image.data_uri)}


async def keep_images(store: ImageFolder, images: Sequence[object]) -> tuple[str, ...]:
    """Validate the images of a question, then store them; returns the names, each once.

    Args:
        store: the image store.
        images: data URIs, or ids that `put_image` gave.

    Raises:
        InvalidParams: one is neither.
        TooLarge: there are too many, or one is too large.
        Unsupported: one is of no kind that models take.
        NotFound: the store has no image with an id.
    """
    check_count(images)
    found: list[QuestionImage] = []
    for number, given in enumerate(images):
        argument = f"images[{number}]"
        if not isinstance(given, str):
            raise InvalidParams(f"{argument} must be a data URI or an image's id.")
        if is_name(given):
            found.append(await store.get(given))
        else:
            found.append(await asyncio.to_thread(read_data_uri, given, argument))
    for image in found:
        await store.put(image)
    return tuple(dict.fromkeys(image.name for image in found))


MAX_TAG: Final = 200
_EFFORTS: Final = ("minimal", "low", "medium", "high")

KEPT_S: Final = 1.0
"""How long the answer to a question's asker waits for the disk."""


class QuestionContext:
    """Takes over the files and web pages that are named with a question.

    Args:
        book: the conversations.
        audience: notified of another selection.
        fetching: has the web pages.
    """

    def __init__(
        self, book: ConversationRegistry, audience: Subscribers, fetching: PageFetching
    ) -> None:
        self._conversations, self._subscribers, self._fetching = book, audience, fetching

    async def select(self, conversation: Conversation, files: Sequence[object]) -> tuple[str, ...]:
        """Make the files of a question the selection; returns why some are not."""
        kept = await self._conversations.select(conversation, files)
        self._subscribers.publish(selection_event(conversation), conversation.conversation_key)
        return await self._conversations.unknown(files) if len(kept) < len(files) else ()

    async def exclude(self, conversation: Conversation, urls: Sequence[object]) -> tuple[str, ...]:
        """Leave exactly these web pages out of the context; returns the addresses."""
        excluded = tuple(require_urls(urls))
        await self._fetching.exclude(conversation, set(excluded))
        return excluded


class StartedAnswers:
    """Starts answers, and streams them to those who asked.

    Args:
        turns: runs them.
        deliveries: sends their streams.
    """

    def __init__(self, turns: Turns, deliveries: Deliveries) -> None:
        self._turns = turns
        self._deliveries = deliveries

    def check(self, conversation: Conversation, ask: ChatRequest) -> None:
        """Refuse what can't be started now; raises what `Turns.check` raises."""
        self._turns.check(conversation, ask)

    async def start(self, conversation: Conversation, ask: ChatRequest) -> None:
        """Start an answer; returns once the question is kept. Raises what `check` raises."""
        stream = self._turns.start(conversation, ask)
        self._deliveries.follow(current_caller().peer, stream)
        with suppress(TimeoutError):  # a slow disk must not delay it
            async with asyncio.timeout(KEPT_S):
                await stream.asked.wait()


class ChatMethods:
    """RPC methods for running answers.

    Args:
        book: the conversations.
        turns: runs them.
        deliveries: sends their streams.
        context: takes over what is named with a question.
        images: the store of the images that come with questions.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        turns: Turns,
        deliveries: Deliveries,
        context: QuestionContext,
        images: ImageFolder,
    ) -> None:
        self._images = images
        self._conversations = book
        self._turns = turns
        self._deliveries = deliveries
        self._context = context
        self._started = StartedAnswers(turns, deliveries)

    @method(Access.WRITE, refusal=Refusal, rules=BILLED)
    async def chat_streaming(
        self,
        request_id: str,
        message: str,
        files: Sequence[object] | None = None,
        images: Sequence[object] | None = None,
        excluded_urls: Sequence[object] | None = None,
        agent_tag: str | None = None,
        reasoning: bool = False,
        effort: str | None = None,
        agent: str | None = None,
        *_further: object,
    ) -> ChatStarted:
        """Ask; answers `{status: "started"}` once the question is kept, then the answer streams.

        `images` holds up to five data URIs, or ids that `put_image` gave; `excluded_urls` are the
        web pages that stay out of the context, as with `set_excluded_urls`, and aren't fetched.
        With `reasoning` the model is told how much to reason, by `effort`: `minimal`, `low`,
        `medium` or `high`. `agent_tag` is kept with the question. `agent` lets the answer act:
        `ask` (the default) without tools, `plan` only reads, `agent` asks before it runs anything,
        `sandbox` runs by itself what the sandbox holds.
        """
        if files is not None:
            require_paths(files)
        caller = current_caller()
        conversation = await self._conversations.open(caller.conversation_key)
        ask = ChatRequest(
            request_id,
            message,
            caller.peer,
            effort=_effort(effort) if reasoning else "",
            agent_tag=(agent_tag or "")[:MAX_TAG],
            agent=_mode(agent),
        )
        if ask.agent != "ask":
            await _require_right_to_act()
        self._turns.check(conversation, ask)
        if images:
            ask = replace(ask, images=await keep_images(self._images, images))
        if files:
            ask = replace(ask, unknown=await self._context.select(conversation, files))
        if excluded_urls is not None:
            excluded = await self._context.exclude(conversation, excluded_urls)
            ask = replace(ask, excluded_urls=excluded)
        await self._started.start(conversation, ask)
        return {"status": "started"}

    @method(Access.WRITE, is_urgent=True, refusal=Refusal)
    async def cancel_streaming(self, request_id: str) -> ChatCancelling:
        """Stop an answer; its `streamComplete` follows, with what was written so far."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        self._turns.stop(conversation, request_id)
        return {"status": "cancelling", "success": True}

    @method(Access.READ)
    async def attach_stream(self, request_id: str) -> AttachedStream:
        """Give an answer so far and stream the rest of it to this connection as well."""
        caller = current_caller()
        conversation = await self._conversations.open(caller.conversation_key)
        stream = conversation.running(request_id)
        if stream is None:
            return _finished(conversation, request_id)
        text = stream.text
        self._deliveries.follow(caller.peer, stream)
        attached = AttachedStream(
            text=text,
            length=utf16_length(text),
            request_id=request_id,
            done=False,
            state="running",
            finish_reason=None,
            reasoning=stream.thoughts.text,
        )
        if stream.run is not None:
            attached["run"] = stream.run()
        return attached


def _effort(effort: str | None) -> str:
    if effort and effort not in _EFFORTS:
        raise InvalidParams(f"effort must be one of {', '.join(_EFFORTS)}.").as_fault()
    return effort or "medium"


async def _require_right_to_act() -> None:
    """Refuse a run to whoever may not run anything, and where a host asks for no token.

    Raises:
        AccessDenied: the caller may not; an error of the call.
    """
    caller = current_caller()
    if not caller.has_login:
        raise AccessDenied(
            "Runs are refused without a token; start the server without --no-token."
        ).as_fault()
    if not await caller.peer.allows(Access.EXECUTE):
        raise AccessDenied(
            "Runs need execute access; ask whoever runs this server for it."
        ).as_fault()


def _mode(agent: str | None) -> AgentMode:
    for mode in get_args(AgentMode):
        if mode == (agent or "ask"):
            found: AgentMode = mode
            return found
    modes = ", ".join(get_args(AgentMode))
    raise InvalidParams(f"agent must be one of {modes}.").as_fault()


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
