"""Export of sessions to a file, and import of other programs' sessions."""

from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.exporting import ExportedSession, GetImage, export
from jupyter_ac.chat.history.importing import HistoryImport, ImportedHistory
from jupyter_ac.errors import NotFound
from jupyter_ac.ids import SessionId
from jupyter_ac.rpc.context import current_caller
from jupyter_ac.rpc.methods import Access, Refusal, method


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
        """Write one of the caller's sessions as `markdown` or `ipynb`; nothing is changed."""
        name = SessionId(session_id)
        messages = await self._archive.messages(current_caller().identity, name)
        if not messages:
            raise NotFound(f"There is no session {session_id[:64]!r} in your history here.")
        return await export(name, messages, format, self._image)

    @method(Access.WRITE)
    async def import_history(self, content: str) -> ImportedHistory:
        """Take the messages of AC-DC's `history.jsonl` into the caller's history; again is fine."""
        return await self._importer.take(current_caller().identity, [*content.split("\n")])
