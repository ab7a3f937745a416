"""Builds the namespace `LLMService`; the only file that lists all its parts."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.chat.compaction.compactor import Compactor
from jupyter_ac.chat.conversation import ConversationBook
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.turns import Turns
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.methods import Namespace
from jupyter_ac.services.llm.chat import Chat
from jupyter_ac.services.llm.context_trimming import Log
from jupyter_ac.services.llm.delivery import Deliveries
from jupyter_ac.services.llm.history import HistoryViews
from jupyter_ac.services.llm.images import Images
from jupyter_ac.services.llm.inspect import Inspect
from jupyter_ac.services.llm.messages import Messages
from jupyter_ac.services.llm.modes import Modes
from jupyter_ac.services.llm.selection import Selection
from jupyter_ac.services.llm.sessions import Sessions
from jupyter_ac.services.llm.state import StateSnapshot
from jupyter_ac.services.subscribers import Subscribers


@dataclass(frozen=True, slots=True)
class Domain:
    """What the parts work on, one workspace's worth.

    Close in this order: `turns`, `compactor`, `deliveries`, `audience`; then the connections, the
    workers and the database, which are the caller's.

    Attributes:
        ports: models, files, token counts, history and the start gate.
        book: the conversations.
        turns: runs and owns the turns.
        compactor: compacts what has become long.
        deliveries: sends the streams.
        audience: the connected pages.
        archive: the history, to look at.
        repo_root: top of the working tree.
        review: says what is under review; looks at the disk.
        state_files: what other hosts write and a page's state is read from.
    """

    ports: TurnPorts
    book: ConversationBook
    turns: Turns
    compactor: Compactor
    deliveries: Deliveries
    audience: Subscribers
    archive: HistoryArchive
    repo_root: Path
    review: Callable[[], ReviewState]
    state_files: tuple[Path, ...] = ()


def llm_namespace(domain: Domain, *further: object) -> Namespace:
    """Gather the parts, and further ones, under their wire name and its aliases."""
    ports, book = domain.ports, domain.book
    return Namespace(
        "LLMService",
        Chat(book, domain.turns, domain.deliveries, domain.audience, ports.images),
        Images(ports.images),
        Sessions(book, domain.audience),
        Messages(book),
        Selection(book, domain.audience),
        Inspect(book, ports, domain.audience),
        Log(book, ports, domain.compactor),
        HistoryViews(book, ports, domain.archive),
        StateSnapshot(
            book, ports, domain.audience, domain.repo_root, domain.review, domain.state_files
        ),
        Modes(book, ports.maps, domain.audience, ports.events),
        *further,
        aliases=("LLM", "LiteLLM"),
    )
