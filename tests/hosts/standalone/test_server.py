"""The server's start and end, in this process."""

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_ac.errors import AlreadyExists, NotFound, NotReady
from jupyter_ac.hosts.standalone.server import Address, ServeOptions, listening
from jupyter_ac.hosts.workspace import Workspace
from tests.hosts.standalone.conftest import OpenPage, Serve, get, talk, upgrade
from tests.support.repositories import RepositoryFolder
from tests.support.serve_process import free_port


async def start(options: ServeOptions, static_dir: Path) -> Address:
    async with listening(options, static_dir) as address:
        return address


async def test_it_listens_on_the_loopback_address_only(
    repository: RepositoryFolder, static_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound: list[object] = []
    real = socket.socket.bind

    def bind(self: socket.socket, name: tuple[str, int]) -> None:
        bound.append(name)
        real(self, name)

    monkeypatch.setattr(socket.socket, "bind", bind)
    async with listening(ServeOptions(repository.root, 0), static_dir) as address:
        assert address.page == f"http://127.0.0.1:{address.port}/?token={address.token}"
        assert address.socket == address.page.replace("http", "ws", 1)
    assert bound == [("127.0.0.1", 0)]


async def test_a_taken_port_is_named_with_the_remedy(
    repository: RepositoryFolder, static_dir: Path
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(AlreadyExists, match=rf"Port {port} .* --server-port"):
            await start(ServeOptions(repository.root, port), static_dir)


async def test_without_a_repository_the_remedy_is_git_init(
    tmp_path: Path, static_dir: Path
) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(NotFound, match=r"'plain'.*git init.*--repo"):
        await start(ServeOptions(tmp_path / "plain", 0), static_dir)
    with pytest.raises(NotFound, match="'missing'"):
        await start(ServeOptions(tmp_path / "missing", 0), static_dir)
    assert not list((tmp_path / "plain").iterdir())


async def test_without_a_front_end_it_says_how_to_build_it(
    repository: RepositoryFolder, tmp_path: Path
) -> None:
    with pytest.raises(NotFound, match="npm run build"):
        await start(ServeOptions(repository.root, 0), tmp_path)


async def test_broken_settings_of_the_administrator_keep_it_from_starting(
    repository: RepositoryFolder, static_dir: Path, write_admin: Callable[[object], None]
) -> None:
    write_admin({"idle_minutes": "soon"})
    port = free_port()
    with pytest.raises(NotReady, match="idle_minutes"):
        await start(ServeOptions(repository.root, port), static_dir)
    with socket.socket() as again:
        again.bind(("127.0.0.1", port))


async def test_a_folder_inside_the_repository_will_do(
    repository: RepositoryFolder, static_dir: Path, connect: OpenPage
) -> None:
    async with listening(ServeOptions(repository.root / "docs", 0), static_dir) as address:
        page = await connect(address.socket)
        assert (await page.state())["repo_name"] == "garden"


async def test_the_token_of_a_port_stays_for_its_next_server(
    repository: RepositoryFolder, static_dir: Path
) -> None:
    port = free_port()
    first = await start(ServeOptions(repository.root, port), static_dir)
    again = await start(ServeOptions(repository.root, port), static_dir)
    assert len(first.token) == 48
    assert again.token == first.token
    anywhere = await start(ServeOptions(repository.root, 0), static_dir)
    assert anywhere.token != first.token
    open_to_all = await start(ServeOptions(repository.root, port, asks_token=False), static_dir)
    assert open_to_all.token == ""


async def test_the_end_closes_connections_and_the_port(
    repository: RepositoryFolder, static_dir: Path, connect: OpenPage
) -> None:
    async with listening(ServeOptions(repository.root, 0), static_dir) as address:
        page = await connect(address.socket)
        await page.state()
    code, reason = await page.closed()
    assert code == 1001
    assert reason
    with pytest.raises(ConnectionRefusedError):
        await get(address.port, "/health")


async def test_the_workspace_stays_open_without_clients(
    repository: RepositoryFolder,
    static_dir: Path,
    connect: OpenPage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entered: list[Workspace] = []
    real = Workspace.__aenter__

    async def enter(self: Workspace) -> Workspace:
        entered.append(self)
        return await real(self)

    monkeypatch.setattr(Workspace, "__aenter__", enter)
    # A workspace without users closes at once here.
    monkeypatch.setattr(
        "jupyter_ac.hosts.registry.WorkspaceRegistry._arm",
        lambda self, entry: self._close_if_idle(entry),
    )
    async with listening(ServeOptions(repository.root, 0), static_dir) as address:
        for _ in range(3):
            page = await connect(address.socket)
            await page.state()
            await page.leave()
        assert len(entered) == 1


async def test_two_servers_stand_side_by_side(serve: Serve, connect: OpenPage) -> None:
    one, two = await serve(), await serve()
    assert one.port != two.port
    first, second = await asyncio.gather(connect(one.socket), connect(two.socket))
    assert (await first.state())["repo_name"] == (await second.state())["repo_name"]


async def test_the_model_of_the_command_line_is_the_one(
    serve: Serve, connect: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    page = await connect((await serve(model="openai/by-flag")).socket)
    model = (await page.state())["model"]
    assert isinstance(model, dict)
    assert model["name"] == "openai/by-flag"


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/health", 200), ("/static/page.js", 200), ("/rpc", 405), ("/api", 404)],
)
async def test_plain_requests(address: Address, path: str, status: int) -> None:
    assert (await get(address.port, path))[0] == status


@pytest.mark.parametrize(
    ("path", "status"), [("/", 101), ("/rpc", 101), ("/health", 200), ("/socket", 404)]
)
async def test_sockets(address: Address, path: str, status: int) -> None:
    lines = upgrade(f"{path}?token={address.token}", "localhost")
    assert (await talk(address.port, *lines))[0] == status
