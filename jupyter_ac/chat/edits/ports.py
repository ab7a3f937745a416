"""The ports of a turn's edits: what they need from outside."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.open_notebooks import OpenNotebook, OpenNotebooks
from jupyter_ac.chat.records import TurnRecord
from jupyter_ac.chat.writing_turns import WritingTurns
from jupyter_ac.ids import ConversationKey, RepoPath, SessionId
from jupyter_ac.settings.app import EditSettings


def _nothing_there(path: str) -> bool:
    return not path


def _nothing_reviewed() -> bool:
    return False


async def _nothing_unsaved(_conversation_key: ConversationKey) -> Collection[RepoPath]:
    return ()


async def _nothing_open(
    _conversation_key: ConversationKey, _paths: Collection[RepoPath], _outputs: Collection[str]
) -> Mapping[RepoPath, OpenNotebook]:
    return {}


async def _select_nothing(
    _conversation_key: ConversationKey,
    _paths: Sequence[RepoPath],
    _by_program: Collection[RepoPath],
) -> None:
    pass


async def _keep_nothing(_session_id: SessionId, _turn: TurnRecord) -> None:
    pass


@dataclass(frozen=True, slots=True)
class EditPorts:
    """The bundle of it.

    Attributes:
        applier: changes the files; None: edits are only listed.
        exists: whether there is a file of this name in the repository; looks at the disk.
        settings: how edits are taken at this moment.
        is_reviewing: whether a review is under way; looks at the disk.
        unsaved: asks for the files that are open with unsaved changes in a conversation.
        open_notebooks: asks for those of some files that are open in a page of the person, with
            the outputs of the cells that have one of these ids.
        keep: keeps how the edits of a turn that is over stand, and raises by one the revision of
            the session in which that was decided; raises `AcError`.
        select: replaces a conversation's selection by what the applier's `selecting` has said; the
            last are those that the program has ticked.
        writing: lets one turn at a time change files.
    """

    applier: Applier | None = None
    exists: Callable[[str], bool] = _nothing_there
    settings: Callable[[], EditSettings] = field(default=EditSettings)
    is_reviewing: Callable[[], bool] = _nothing_reviewed
    unsaved: Callable[[ConversationKey], Awaitable[Collection[RepoPath]]] = _nothing_unsaved
    open_notebooks: Callable[
        [ConversationKey, Collection[RepoPath], Collection[str]],
        Awaitable[Mapping[RepoPath, OpenNotebook]],
    ] = _nothing_open

    def open_in(self, conversation_key: ConversationKey) -> OpenNotebooks:
        """Return what asks the pages of a person for notebooks, to be edited."""

        async def ask(paths: Collection[RepoPath]) -> Mapping[RepoPath, OpenNotebook]:
            return await self.open_notebooks(conversation_key, paths, ())

        return ask

    keep: Callable[[SessionId, TurnRecord], Awaitable[None]] = _keep_nothing
    select: Callable[
        [ConversationKey, Sequence[RepoPath], Collection[RepoPath]], Awaitable[None]
    ] = _select_nothing
    writing: WritingTurns = field(default_factory=WritingTurns)
