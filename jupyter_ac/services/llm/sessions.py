"""RPC methods for sessions: start, resume, branch, name, delete, export, import."""

from jupyter_ac.answer_rows import image_row
from jupyter_ac.chat.branching import Branching
from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.exporting import ExportedSession, GetImage, export
from jupyter_ac.chat.history.importing import HistoryImport, ImportedHistory
from jupyter_ac.chat.history.session_management import SessionManagement
from jupyter_ac.chat.history.versions import QuestionVersions, VersionArchive
from jupyter_ac.errors import Busy, InvalidParams, NotFound
from jupyter_ac.events import SessionChanged
from jupyter_ac.ids import RepoPath, SessionId
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method
from jupyter_ac.services.llm.selection import selection_event
from jupyter_ac.services.llm.shapes import (
    BranchedSession,
    DeletedSession,
    LoadedSession,
    NewSession,
    RenamedSession,
)
from jupyter_ac.services.subscribers import Subscribers


class SessionMethods:
    """The sessions of a person; one is current.

    Args:
        book: the conversations.
        audience: notified when the current session changes.
    """

    def __init__(self, book: ConversationRegistry, audience: Subscribers) -> None:
        self._conversations = book
        self._subscribers = audience

    @method(Access.WRITE, refusal=Refusal)
    async def new_session(self) -> NewSession:
        """Begin a new conversation; what the user has ticked stays.

        Refused while an answer is made.
        """
        return await self._begin()

    @method(Access.WRITE, refusal=Refusal)
    async def history_new_session(self) -> NewSession:
        """Do the same as `new_session`."""
        return await self._begin()

    @method(Access.WRITE, refusal=Refusal)
    async def load_session_into_context(self, session_id: str) -> LoadedSession:
        """Go on with an earlier session of the same person; refused while an answer is made."""
        conversation = await self._conversations.open(current_caller().conversation_key)
        before = conversation.selection
        await self._conversations.load(conversation, session_id)
        self._publish_selection(conversation, before)
        snapshot = conversation.session.snapshot()
        self._subscribers.publish(SessionChanged(snapshot), conversation.conversation_key)
        return {**snapshot, "message_count": conversation.session.message_count}

    async def _begin(self) -> NewSession:
        conversation = await self._conversations.open(current_caller().conversation_key)
        before = conversation.selection
        await self._conversations.new_session(conversation)
        self._publish_selection(conversation, before)
        self._subscribers.publish(
            SessionChanged(conversation.session.snapshot()), conversation.conversation_key
        )
        return {"session_id": conversation.session.session_id}

    def _publish_selection(self, conversation: Conversation, before: tuple[RepoPath, ...]) -> None:
        if conversation.selection != before:
            self._subscribers.publish(selection_event(conversation), conversation.conversation_key)


class SessionManagementMethods:
    """The names of a person's sessions, and their end.

    Args:
        book: the conversations.
        management: changes the sessions on disk.
        audience: notified when the current session changes.
    """

    def __init__(
        self, book: ConversationRegistry, management: SessionManagement, audience: Subscribers
    ) -> None:
        self._conversations = book
        self._management = management
        self._subscribers = audience

    @method(Access.WRITE, refusal=Refusal, refused=(InvalidParams, NotFound))
    async def rename_session(self, session_id: str, title: str) -> RenamedSession:
        """Name one of the caller's sessions; an empty title takes the name away."""
        identity = current_caller().identity
        kept = await self._management.rename(identity, SessionId(session_id), title)
        return {"session_id": session_id, "title": kept}

    @method(Access.WRITE, refusal=Refusal, refused=(Busy, NotFound))
    async def delete_session(self, session_id: str) -> DeletedSession:
        """Delete one of the caller's sessions for good; files that it edited stay as they are.

        What sessions that go on from it show of it stays in these. A new session begins in panels
        that show it. Refused while an answer is made in it, or while another process shows it.
        """
        identity, name = current_caller().identity, SessionId(session_id)
        theirs = self._conversations.of(identity)
        shown = [each for each in theirs if each.session.session_id == name]
        for conversation in shown:
            conversation.require_idle("deleting the conversation")
        await self._management.delete(identity, name)
        for conversation in shown:
            await self._conversations.new_session(conversation)
            self._subscribers.publish(
                SessionChanged(conversation.session.snapshot()), conversation.conversation_key
            )
        return {"status": "ok", "session_id": session_id}


class TransferMethods:
    """Export and import of a person's sessions.

    Args:
        archive: the history on disk.
        importer: imports sessions.
        image: returns an image by its name.
    """

    def __init__(self, archive: HistoryArchive, importer: HistoryImport, image: GetImage) -> None:
        self._archive = archive
        self._importer = importer
        self._image = image

    @method(Access.WRITE, refusal=Refusal, refused=(NotFound,))
    async def export_session(self, session_id: str, format: str = "markdown") -> ExportedSession:
        """Write one of the caller's sessions as `markdown`, `ipynb` or `json`; nothing changes."""
        name = SessionId(session_id)
        messages = await self._archive.messages(current_caller().identity, name)
        if not messages:
            raise NotFound(f"There is no session {session_id[:64]!r} in your history here.")
        return await export(name, messages, format, self._image)

    @method(Access.WRITE)
    async def import_history(self, content: str) -> ImportedHistory:
        """Take the messages of AC-DC's `history.jsonl` into the caller's history; again is fine."""
        return await self._importer.take(current_caller().identity, [*content.split("\n")])


class SessionBranchMethods:
    """Branches of a person's conversations.

    Args:
        book: the conversations.
        branching: makes the branches.
        versions: finds them again.
        audience: notified when the current session changes.
    """

    def __init__(
        self,
        book: ConversationRegistry,
        branching: Branching,
        versions: VersionArchive,
        audience: Subscribers,
    ) -> None:
        self._conversations = book
        self._branching = branching
        self._versions = versions
        self._subscribers = audience

    @method(Access.WRITE, refusal=Refusal)
    async def branch_session(self, request_id: str, after: bool = False) -> BranchedSession:
        """Go on from before a question, in a new session; the present one stays in the list.

        The new session has the turns before the question, with `after` also the question and its
        answer; what is selected stays. Refused while an answer is made.
        """
        conversation = await self._conversations.open(current_caller().conversation_key)
        turn = await self._branching.branch(conversation, request_id, after=after)
        snapshot = conversation.session.snapshot()
        self._subscribers.publish(SessionChanged(snapshot), conversation.conversation_key)
        return {
            **snapshot,
            "message_count": conversation.session.message_count,
            "question": "" if after else turn.question,
            "images": [] if after else [image_row(name) for name in turn.images],
        }

    @method(Access.READ)
    async def get_question_versions(self) -> list[QuestionVersions]:
        """List the questions of the current session of which other sessions have another version.

        Each with the sessions to load for its versions, the oldest first.
        """
        conversation = await self._conversations.open(current_caller().conversation_key)
        return await self._versions.of(
            conversation.conversation_key.identity, conversation.session.session_id
        )
