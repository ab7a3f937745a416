"""RPC methods for the recorded example of the tour: offer it, play it, reset and remove it."""

from collections.abc import Awaitable, Callable
from typing import Literal, TypedDict

from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.history.session_management import SessionManagement
from jupyter_ac.chat.recorded.player import RecordedAnswer
from jupyter_ac.chat.turn.runner import ChatRequest
from jupyter_ac.errors import AccessDenied, AcError, Busy, Conflict, NotFound
from jupyter_ac.models.choice import RECORDED
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.chat import QuestionContext, StartedAnswers
from jupyter_ac.services.llm.sample_repository import SampleRepository
from jupyter_ac.services.llm.sessions import SessionManagementMethods
from jupyter_ac.services.llm.shapes import ChatStarted

_NO_EXAMPLE = (
    "There is no recorded example here: it belongs to the sample repository of the tour, and "
    "example.offered in app.json may switch it off."
)


class ExampleQuestion(TypedDict):
    """A question whose answer is recorded.

    Attributes:
        id: for `play_example`.
        label: says in a few words what it shows.
        question: its text.
        files: that are ticked for it.
    """

    id: str
    label: str
    question: str
    files: list[str]


class OfferedExample(TypedDict):
    """The recorded example.

    Attributes:
        offered: this repository is the sample of the tour, and the settings don't hide the example.
        questions: in order; none unless it is offered.
        changed: its files that are no longer as the tour found them.
    """

    offered: bool
    questions: list[ExampleQuestion]
    changed: list[str]


class ExampleReset(TypedDict):
    """The files of the example are as the tour found them.

    Attributes:
        files: those that were changed for it.
    """

    status: Literal["ok"]
    files: list[str]


class ExampleRemoved(TypedDict):
    """The example is no longer offered.

    Attributes:
        sessions: how many conversations of recorded answers only were deleted.
        kept: how many of them could not be deleted: another process shows them.
    """

    status: Literal["ok"]
    sessions: int
    kept: int


class ExampleMethods:
    """RPC methods for the recorded example.

    Args:
        book: the conversations.
        sample: the repository, as far as it may be the sample.
        answers: starts them.
        context: takes over the files of a question.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        sample: SampleRepository,
        answers: StartedAnswers,
        context: QuestionContext,
    ) -> None:
        self._conversations = book
        self._sample = sample
        self._answers = answers
        self._context = context

    @method(Access.READ)
    async def get_example(self) -> OfferedExample:
        """Return the recorded questions; only the sample repository of the tour has some."""
        found = await self._sample.example()
        if found is None:
            return {"offered": False, "questions": [], "changed": []}
        questions = [
            ExampleQuestion(
                id=one.question_id, label=one.label, question=one.text, files=[*one.files]
            )
            for one in found.questions
        ]
        return {"offered": True, "questions": questions, "changed": [*await self._sample.changed()]}

    @method(Access.WRITE, refusal=Refusal, refused=(NotFound,))
    async def play_example(self, request_id: str, question_id: str) -> ChatStarted:
        """Ask a recorded question: its answer streams as a model's, and its edits are applied.

        The files of the question are ticked. No model is asked, nothing is sent, nothing is paid.
        """
        found = await self._sample.example()
        if found is None:
            raise NotFound(_NO_EXAMPLE)
        question = found.question(question_id)
        if question is None:
            raise NotFound(f"The example has no question {question_id[:64]!r}.")
        caller = current_caller()
        conversation = await self._conversations.open(caller.conversation_key)
        recorded = RecordedAnswer(question.answer, found.words_per_second)
        ask = ChatRequest(request_id, question.text, caller.peer, recorded=recorded)
        self._answers.check(conversation, ask)
        ticked = dict.fromkeys((*conversation.selection, *question.files))
        await self._context.select(conversation, [*ticked])
        await self._answers.start(conversation, ask)
        return {"status": "started"}

    @method(Access.WRITE, refusal=Refusal, refused=(Busy, Conflict, NotFound))
    async def reset_example(self) -> ExampleReset:
        """Write the files of the example as the tour found them; refused while an answer is made.

        Other changes to these files are lost.
        """
        if await self._sample.example() is None:
            raise NotFound(_NO_EXAMPLE)
        conversation = await self._conversations.open(current_caller().conversation_key)
        conversation.require_idle("resetting the example")
        return {"status": "ok", "files": [*await self._sample.reset()]}


class ExampleRemovalMethods:
    """The RPC method that removes the recorded example.

    Args:
        book: the conversations.
        management: the sessions on disk.
        sessions: deletes them.
        hide: saves that the example isn't offered.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        management: SessionManagement,
        sessions: SessionManagementMethods,
        hide: Callable[[], Awaitable[None]],
    ) -> None:
        self._conversations = book
        self._management = management
        self._sessions = sessions
        self._hide = hide

    @method(Access.WRITE, refusal=Refusal, refused=(AccessDenied, Busy))
    async def remove_example(self) -> ExampleRemoved:
        """Offer the recorded example no more, and delete the conversations made of it alone.

        The setting `example.offered` in `app.json` brings it back. Files stay as they are. Refused
        while an answer is made.
        """
        caller = current_caller()
        (await self._conversations.open(caller.conversation_key)).require_idle(
            "removing the example"
        )
        await self._hide()
        deleted = kept = 0
        for session_id in await self._management.only_by(caller.identity, RECORDED):
            try:
                await self._sessions.delete_session(session_id)
                deleted += 1
            except AcError:
                kept += 1
        return {"status": "ok", "sessions": deleted, "kept": kept}
