"""Pages at the other end of a real connection, and a workspace's services behind it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from jupyter_ac.chat.chat_events import PageEvent
from jupyter_ac.chat.compaction.compactor import Compactor
from jupyter_ac.chat.conversation import ConversationRegistry
from jupyter_ac.chat.conversation_pages import ConversationPages
from jupyter_ac.chat.history.archive import HistoryArchive
from jupyter_ac.chat.history.owners import Owner
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.model_gateway import SideTaskResult
from jupyter_ac.chat.ports import LogPorts, TurnPorts
from jupyter_ac.chat.turn.runner import Turns
from jupyter_ac.event_bus import EventBus
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.ids import ClientId, Identity
from jupyter_ac.index.navigation.rows import OutlineRow
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.dialect import JRPC_OO, WireDialect
from jupyter_ac.rpc.direct import direct_pair
from jupyter_ac.rpc.methods import Access, Method, MethodTable, Namespace
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.services.llm.chat import ChatMethods, ImageMethods, QuestionContext
from jupyter_ac.services.llm.context import InspectionMethods, SymbolTokenMethods, TrimmingMethods
from jupyter_ac.services.llm.context_items import ContextItemMethods
from jupyter_ac.services.llm.delivery import Deliveries
from jupyter_ac.services.llm.history import MessageMethods, SessionHistoryMethods
from jupyter_ac.services.llm.marks import TurnMarkMethods
from jupyter_ac.services.llm.modes import ModeMethods
from jupyter_ac.services.llm.opened_conversations import (
    OpenConversationMethods,
    OpenedConversations,
)
from jupyter_ac.services.llm.page_fetching import PageFetching
from jupyter_ac.services.llm.page_summaries import PageSummaries
from jupyter_ac.services.llm.question_pages import QuestionPages
from jupyter_ac.services.llm.selection import SelectionMethods
from jupyter_ac.services.llm.sessions import SessionMethods
from jupyter_ac.services.llm.state import StateMethods
from jupyter_ac.services.llm.urls import UrlMethods
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.host_rules import HostRules
from jupyter_ac.web.url_cache import UrlCache
from tests.chat.memory import (
    ADA,
    MemoryArchive,
    MemoryFocuses,
    MemoryHistory,
    MemoryPages,
    MemoryViews,
    World,
)
from tests.support.checked_peer import CheckedPeer
from tests.support.histories import history_in

WITH_DELTAS = (
    "AcApp.startupProgress",
    "AcApp.streamChunk",
    "AcApp.streamDelta",
    "AcApp.streamComplete",
    "AcApp.userMessage",
    "AcApp.sessionChanged",
    "AcApp.filesChanged",
    "AcApp.compactionEvent",
    "AcApp.modeChanged",
    "AcApp.urlsChanged",
)
WITHOUT_DELTAS = tuple(name for name in WITH_DELTAS if name != "AcApp.streamDelta")
FLAT = tuple(name.removeprefix("AcApp.") for name in WITHOUT_DELTAS)

Answer = Callable[[str], Awaitable[object]]


async def answer_at_once(_: str) -> object:
    return True


async def never_answer(_: str) -> object:
    await asyncio.Event().wait()
    return None


class Page:
    """A front end: the events that it lists arrive in `events`, in order."""

    def __init__(
        self, listed: Iterable[str] = WITH_DELTAS, answer: Answer = answer_at_once
    ) -> None:
        self.events: list[tuple[str, tuple[object, ...]]] = []
        self._answer = answer
        self._came = asyncio.Event()
        self.methods: Mapping[str, Method] = {
            name: Method.of(name, self._receiver(name), Access.READ) for name in listed
        }
        self.peer: Peer

    def _receiver(self, name: str) -> Callable[..., Awaitable[object]]:
        async def receive(*args: object) -> object:
            self.events.append((name.removeprefix("AcApp."), args))
            self._came.set()
            return await self._answer(name)

        return receive

    def named(self, name: str) -> list[tuple[object, ...]]:
        """The arguments of each event of one name."""
        return [args for found, args in self.events if found == name]

    async def until(self, is_true: Callable[["Page"], bool], limit_s: float = 90.0) -> None:
        """Wait, within bounds, for events that fulfil the condition."""
        async with asyncio.timeout(limit_s):
            while not is_true(self):
                self._came.clear()
                await self._came.wait()

    async def completion(self) -> Mapping[str, object]:
        """Wait for the end of a turn and return its result."""
        await self.until(lambda page: bool(page.named("streamComplete")))
        result = self.named("streamComplete")[-1][1]
        assert isinstance(result, dict)
        return result

    async def call(self, name: str, *args: object) -> object:
        """Call a method of `LLMService`."""
        return await self.peer.call(f"LLMService.{name}", *args, timeout_s=10)

    async def rows(self, name: str, *args: object) -> list[dict[str, object]]:
        """Call a method that answers with a list of objects."""
        return objects(await self.call(name, *args))

    async def state_rows(self) -> list[dict[str, object]]:
        """The web pages of the state that a page is shown after it was reloaded."""
        return objects((await self.ask("get_current_state"))["urls"])

    async def say(self, request_id: str, question: str) -> Mapping[str, object]:
        """Ask a question and wait for the end of its turn."""
        ended = len(self.named("streamComplete"))
        assert await self.call("chat_streaming", request_id, question) == {"status": "started"}
        await self.until(lambda page: len(page.named("streamComplete")) > ended)
        return await self.completion()

    async def ask(self, name: str, *args: object) -> dict[str, object]:
        """Call a method that answers with an object."""
        found = await self.call(name, *args)
        assert isinstance(found, dict)
        return found

    def streamed(self) -> str:
        """Put the answer together from what was sent, as a browser does."""
        text = b""
        for name, args in self.events:
            if name == "streamChunk":
                text = str(args[1]).encode("utf-16-le")
            elif name == "streamDelta":
                assert args[1] == len(text) // 2, "a gap"
                text += str(args[2]).encode("utf-16-le")
        return text.decode("utf-16-le")


@dataclass
class Connection:
    """Both ends of one connection; `host` is the host's."""

    page: Page
    host: Peer
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    async def close(self) -> None:
        await self.page.peer.close()
        for task in self.tasks:
            with suppress(TimeoutError):
                await asyncio.wait_for(task, 30)


async def connect(
    page: Page,
    table: Mapping[str, Method],
    identity: Identity = ADA,
    profile: WireDialect = JRPC_OO,
    remote: Remote | None = None,
) -> Connection:
    """Connect a page to a host with these methods; both have listed theirs."""
    near, far = direct_pair()
    remote = remote or Remote(identity, ClientId("c"))
    host = Peer(far, table, profile=profile, remote=remote)
    page.peer = CheckedPeer(near, page.methods, profile=profile)
    tasks = [asyncio.create_task(host.run()), asyncio.create_task(page.peer.run())]
    await asyncio.wait_for(host.handshaken(), 30)
    await asyncio.wait_for(page.peer.handshaken(), 30)
    return Connection(page, host, tasks)


def objects(value: object) -> list[dict[str, object]]:
    """Take a value for a list of objects."""
    assert isinstance(value, list)
    return value


@dataclass(frozen=True, slots=True)
class Domain:
    """What the methods of `LLMService` that need no repository work on.

    Close in this order: `turns`, `compactor`, `deliveries`, `audience`; then the connections.

    Attributes:
        ports: models, files, token counts, history and the start gate.
        book: the conversations.
        turns: runs and owns the turns.
        compactor: compacts what has become long.
        deliveries: sends the streams.
        audience: the connected pages.
        archive: the history, to look at.
        repository: whose state is shown.
        opened: the conversations that clients have opened.
        review: says what is under review; looks at the disk.
        page_fetching: fetches web pages, from this machine only.
        page_summaries: summarises them.
        state_files: what other hosts write and a page's state is read from.
    """

    ports: TurnPorts
    book: ConversationRegistry
    turns: Turns
    compactor: Compactor
    deliveries: Deliveries
    audience: Subscribers
    archive: HistoryArchive
    repository: Repository
    opened: OpenedConversations
    review: Callable[[], ReviewState]
    page_fetching: PageFetching
    page_summaries: PageSummaries
    state_files: tuple[Path, ...] = ()


async def one_function(_path: str) -> list[OutlineRow]:
    """Say that the first line of any file is a function."""
    return [{"name": "f", "kind": "function", "line": 1, "last_line": 1, "parent": -1}]


def llm_methods(domain: Domain, *further: object) -> Namespace:
    """List these methods, and further ones."""
    ports, book = domain.ports, domain.book
    fetching = domain.page_fetching
    context = QuestionContext(book, domain.audience, fetching)
    return Namespace(
        "LLMService",
        ChatMethods(book, domain.turns, domain.deliveries, context, ports.images),
        UrlMethods(book, fetching, domain.page_summaries),
        ImageMethods(ports.images),
        ContextItemMethods(book, ports, domain.audience),
        SessionMethods(book, domain.audience),
        OpenConversationMethods(book, domain.opened, domain.audience),
        MessageMethods(book),
        SelectionMethods(book, domain.audience),
        InspectionMethods(book, ports, domain.audience),
        SymbolTokenMethods(book, ports, one_function),
        TrimmingMethods(book, ports, domain.compactor),
        TurnMarkMethods(book, ports, domain.audience),
        SessionHistoryMethods(book, ports, domain.archive),
        StateMethods(
            book, ports, domain.audience, domain.repository, domain.review, domain.state_files
        ),
        ModeMethods(book, ports.maps, domain.audience, ports.events),
        *further,
        aliases=("LLM", "LiteLLM"),
    )


class Service:
    """The services over some ports, and the pages connected to them.

    Args:
        state_files: what a page's state is read from on disk; an old file: it is cached.
    """

    def __init__(
        self,
        ports: TurnPorts,
        archive: HistoryArchive | None = None,
        state_files: tuple[Path, ...] = (Path(__file__),),
    ) -> None:
        audience = Subscribers()
        bus = EventBus()
        bus.subscribe(PageEvent, audience.deliver)
        stored = MemoryPages()
        book = ConversationRegistry(
            ports.history, ports.files, MemoryFocuses(), stored, MemoryViews()
        )
        self._cache = TemporaryDirectory()
        self.spent: list[SideTaskResult] = []
        cache = UrlCache(Path(self._cache.name), lambda: 24.0)
        fetcher = Fetcher(lambda: HostRules(allowed=["127.0.0.1"]))
        fetching = PageFetching(
            ConversationPages(stored),
            fetcher,
            cache,
            audience,
            lambda: ports.log.settings().urls.fetch == "never",
        )
        question_pages = QuestionPages(fetching, lambda: ports.log.settings().urls.fetch)
        ports = replace(ports, fetch_pages=question_pages.fetch)
        compactor = Compactor(ports, bus)
        self.domain = Domain(
            ports=ports,
            book=book,
            page_fetching=fetching,
            page_summaries=PageSummaries(fetching, ports.models, self._spend),
            turns=Turns(ports, bus),
            compactor=compactor,
            deliveries=Deliveries(),
            audience=audience,
            archive=archive or MemoryArchive(MemoryHistory()),
            repository=Repository(Path("/work/repo"), Path(), Path(), "repo"),
            opened=OpenedConversations(book, ports.history),
            review=lambda: NO_REVIEW,
            state_files=state_files,
        )
        self.table = MethodTable(llm_methods(self.domain))
        self._connections: list[Connection] = []

    async def page(
        self,
        listed: Iterable[str] = WITH_DELTAS,
        *,
        answer: Answer = answer_at_once,
        identity: Identity = ADA,
        aside: str = "",
        client: str = "",
    ) -> Page:
        """Connect one more page."""
        page = Page(listed, answer)
        remote = self.domain.opened.of(Remote(identity, ClientId(client), aside))
        connection = await connect(page, self.table, identity, remote=remote)
        self.domain.audience.join(connection.host, remote.conversation_key)
        self._connections.append(connection)
        return page

    async def leave(self, page: Page) -> None:
        """Let a page's connection end."""
        for connection in self._connections:
            if connection.page is page:
                await connection.close()
                self.domain.audience.leave(connection.host)

    async def _spend(self, *what: object) -> None:
        answer = what[-1]
        assert isinstance(answer, SideTaskResult)
        self.spent.append(answer)

    async def aclose(self) -> None:
        """Close as a host does."""
        await self.domain.page_fetching.aclose()
        self._cache.cleanup()
        await self.domain.turns.aclose()
        await self.domain.compactor.aclose()
        await self.domain.deliveries.aclose()
        await self.domain.audience.aclose()
        for connection in self._connections:
            await connection.close()


@asynccontextmanager
async def keeping(world: World, folder: Path, machine: str = "") -> AsyncIterator[Service]:
    """Serve a world whose history is on disk, as a host does from its start to its end.

    One on another machine can run beside: of the same process there is only one.
    """
    owner = Owner(machine) if machine else None
    database = history_in(folder)
    ports = replace(
        world.ports(),
        history=HistoryStore(database, "", owner),
        log=LogPorts(CompactionStore(database), lambda: world.settings),
    )
    files = (folder / "history.sqlite", folder / "history.sqlite-wal")
    service = Service(ports, HistoryArchive(database, ""), files)
    try:
        yield service
    finally:
        await service.aclose()
        await database.aclose()


class WorldService(Service):
    """The services over a world in memory."""

    def __init__(self, world: World) -> None:
        super().__init__(world.ports(), MemoryArchive(world.history))
        self.world = world


@asynccontextmanager
async def serving(world: World) -> AsyncIterator[WorldService]:
    """Serve a world."""
    service = WorldService(world)
    try:
        yield service
    finally:
        await service.aclose()
