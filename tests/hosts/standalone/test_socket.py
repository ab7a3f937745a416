"""The handshake, the repository that is asked for, and what frames do."""

import asyncio
import gc
import json
import struct
from pathlib import Path

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyter_ac.errors import RefusedPath
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.hosts.standalone.server import Address
from jupyter_ac.hosts.standalone.socket import require_same
from jupyter_ac.rpc.peer import Peer
from tests.hosts.standalone.conftest import OpenPage, Serve, talk, upgrade
from tests.support.repositories import RepositoryFolder, make_repository

MIB = 1 << 20
ASKING = ("GET /{} HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade")
IS_CLEAN = '{"jsonrpc": "2.0", "id": 7, "method": "Repo.is_clean", "params": {"args": []}}'


async def handshake(address: Address, path: str, *headers: str) -> tuple[int, str]:
    status, _, body = await talk(address.port, *upgrade(path, "localhost", *headers))
    return status, body


@pytest.mark.parametrize("path", ["/", "/rpc"])
async def test_the_token_opens_by_query_or_header(address: Address, path: str) -> None:
    assert (await handshake(address, f"{path}?token={address.token}"))[0] == 101
    assert (await handshake(address, path, f"Authorization: token {address.token}"))[0] == 101


@pytest.mark.parametrize("path", ["/", "/rpc"])
async def test_without_the_token_nobody_gets_in(address: Address, path: str) -> None:
    refused = [
        await handshake(address, path),
        await handshake(address, f"{path}?token="),
        await handshake(address, f"{path}?token=wrong"),
        await handshake(address, f"{path}?token={address.token[:-1]}"),
        await handshake(address, f"{path}?token={address.token}x"),
        await handshake(address, f"{path}?token={address.token}&token=x"),
        await handshake(address, f"{path}?token=%ff%fe"),
        await handshake(address, f"{path}?token={address.token}", "Authorization: token x"),
        await handshake(address, path, f"Authorization: Bearer {address.token}"),
        await handshake(address, path, f"Cookie: token={address.token}"),
    ]
    assert {status for status, _ in refused} == {403}
    assert "asks for its token" in refused[0][1]


async def test_without_a_token_everybody_on_this_machine_gets_in(serve: Serve) -> None:
    address = await serve(asks_token=False)
    assert address.socket == f"ws://127.0.0.1:{address.port}/"
    assert (await handshake(address, "/"))[0] == 101
    assert (await handshake(address, "/?token=any"))[0] == 101
    assert (await handshake(address, "/", "Origin: https://evil.example"))[0] == 403
    foreign = upgrade("/", "evil.example")
    assert (await talk(address.port, *foreign))[0] == 403


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["GET /rpc{} HTTP/1.1", "Host: localhost"], 405),
        (["GET /rpc{} HTTP/1.1", "Host: localhost", "Upgrade: h2c", "Connection: Upgrade"], 400),
        (["GET /{} HTTP/1.1", "Host: localhost", "Upgrade: websocket"], 400),
        (
            [*ASKING, "Sec-WebSocket-Version: 13"],
            400,
        ),
        (
            [*ASKING, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 3"],
            426,
        ),
        (["POST /{} HTTP/1.1", "Host: localhost", "Content-Length: 0"], 405),
    ],
)
async def test_a_bad_handshake_is_refused(address: Address, lines: list[str], status: int) -> None:
    asked = [lines[0].format(f"?token={address.token}"), *lines[1:]]
    assert (await talk(address.port, *asked, expects_body=False))[0] == status


async def test_a_page_s_name_for_itself_is_checked(address: Address) -> None:
    query = f"/?token={address.token}&client="
    assert (await handshake(address, f"{query}{'x' * 64}"))[0] == 101
    assert (await handshake(address, f"{query}{'x' * 65}"))[0] == 400
    assert (await handshake(address, f"{query}a%00b"))[0] == 400


async def test_a_page_is_served(
    address: Address, connect: OpenPage, repository: RepositoryFolder
) -> None:
    page = await connect(f"{address.socket}&client=one")
    await page.ready()
    assert (await page.state())["repo_name"] == "garden"
    assert await page.call("Repo.get_file_content", "a.py") == "print(1)\n"
    other = await connect(f"{address.socket}&client=two", headers={"Origin": "http://localhost:3"})
    await other.call("LLMService.set_selected_files", ["a.py"])
    assert await page.event("filesChanged") == [["a.py"]]
    assert repository.root.is_dir()


async def test_the_served_repository_may_be_named(
    address: Address, connect: OpenPage, repository: RepositoryFolder
) -> None:
    for repo in (str(repository.root), str(repository.root / "docs"), "docs", "."):
        page = await connect(f"{address.socket}&repo={repo}")
        assert (await page.state())["repo_name"] == "garden"


async def test_another_repository_is_4403(
    address: Address, connect: OpenPage, tmp_path: Path
) -> None:
    make_repository(tmp_path / "other", {"x": "1"})
    for repo in (
        str(tmp_path / "other"),
        "..",
        "/",
        "../other",
        "none",
        "a.py",
        "a%00b",
        "x" * 5000,
        "%ff/../..",
    ):
        page = await connect(f"{address.socket}&repo={repo}")
        code, reason = await page.closed()
        assert (code, reason) == (4403, "This server serves the repository garden only.")
        assert page.events == []


async def test_a_folder_that_leads_out_is_not_the_served_one(
    repository: RepositoryFolder, tmp_path: Path
) -> None:
    (repository.root / "out").symlink_to(tmp_path)
    (repository.root / "loop").symlink_to("loop")
    served: Repository = await discover(repository.root)
    require_same(served, "")
    with pytest.raises(RefusedPath):
        require_same(served, "out")


async def test_a_frame_that_is_too_long_ends_its_connection_only(
    serve: Serve, connect: OpenPage, write_admin: object
) -> None:
    assert callable(write_admin)
    write_admin({"max_message_mb": 1})
    address = await serve()
    page, other = await connect(address.socket), await connect(address.socket)
    page.socket.write_message("x" * (MIB + 1))
    code, reason = await page.closed()
    assert code == 1009
    assert reason == "a message may have at most 1 MiB"
    assert (await other.state())["repo_name"] == "garden"


async def test_a_frame_beyond_the_servers_own_buffer_is_refused_by_its_code(
    address: Address,
) -> None:
    size = 110 * MIB
    reader, writer = await asyncio.open_connection("127.0.0.1", address.port)
    lines = upgrade(f"/?token={address.token}", "localhost")
    writer.write("\r\n".join([*lines, "", ""]).encode())
    async with asyncio.timeout(30):
        await reader.readuntil(b"\r\n\r\n")
        # Not masked: with a mask of zeros it would be the same bytes.
        writer.write(struct.pack("!BBQ", 0x81, 127, size))
        for _ in range(110):
            writer.write(b" " * MIB)
            await writer.drain()
        code = struct.pack("!H", 1009)
        assert (await reader.readuntil(code)).endswith(code)
    writer.close()


async def test_a_frame_of_many_megabytes_is_taken(address: Address, connect: OpenPage) -> None:
    page = await connect(address.socket)
    long = await page.call("LLMService.set_selected_files", ["x" * (20 * MIB)])
    assert long == []


async def call_raw(address: Address, *frames: str | bytes) -> object:
    """Send frames as they are; give the result of the call with the id 7."""
    socket = await websocket_connect(HTTPRequest(address.socket))
    for frame in frames:
        socket.write_message(frame, binary=isinstance(frame, bytes))
    async with asyncio.timeout(30):
        while True:
            received = await socket.read_message()
            assert isinstance(received, str), socket.close_reason
            answer = json.loads(received)
            if answer.get("id") == 7 and "method" not in answer:
                break
    socket.close()
    return answer.get("result")


async def test_binary_frames_are_read_as_text(address: Address) -> None:
    assert await call_raw(address, IS_CLEAN.encode()) is True


@pytest.mark.parametrize(
    "frame", ["", "{", "null", "[]", "[1]", '"x"', "NaN", "\x00", '{"a":' * 2000, b"\xff\xfe", b""]
)
async def test_frames_that_are_no_messages_do_no_harm(address: Address, frame: str | bytes) -> None:
    assert await call_raw(address, frame, IS_CLEAN) is True


async def test_only_public_names_are_listed(address: Address, connect: OpenPage) -> None:
    page = await connect(address.socket)
    await page.state()
    await page.state()
    assert "Repo.get_file_tree" in page.methods
    assert not any("_" in name.partition(".")[2][:1] for name in page.methods)


@pytest.mark.parametrize(
    ("profile", "code"),
    [("epoch", "METHOD_NOT_FOUND"), ("planner", -32601), ("jsonrpc2", -32601)],
)
async def test_the_address_may_name_a_profile(address: Address, profile: str, code: object) -> None:
    socket = await websocket_connect(f"{address.socket}&profile={profile}")
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "Repo.get_file_content",
        "params": {"path": "a.py"},
    }
    answers: list[dict[str, object]] = []
    for message in (call, {**call, "id": 2, "method": "Repo.nope"}):
        await socket.write_message(json.dumps(message))
    while len(answers) < 2:
        frame = json.loads(str(await socket.read_message()))
        if "id" in frame:
            answers.append(frame)
    by_id = {answer["id"]: answer for answer in answers}
    assert by_id[1]["result"] == "print(1)\n"
    error = by_id[2]["error"]
    assert isinstance(error, dict)
    assert error["code"] == code
    assert ("epoch" in by_id[1]) is (profile == "epoch")
    socket.close()


async def test_an_unknown_profile_is_refused_at_the_handshake(address: Address) -> None:
    status, _, body = await talk(
        address.port,
        *upgrade(f"/?token={address.token}&profile=x", f"127.0.0.1:{address.port}"),
    )
    assert status == 400
    assert "jrpc-oo" in body


async def test_closed_connections_are_freed_without_the_garbage_collector(
    address: Address,
) -> None:
    """A full collection of what thousands leave behind would stop the loop for long."""
    gc.collect()
    gc.disable()
    # Other tests of this process may hold theirs.
    before = [one for one in gc.get_objects() if isinstance(one, Peer)]
    try:
        for _ in range(3):
            assert await call_raw(address, IS_CLEAN) is True
        async with asyncio.timeout(30):
            while any(
                isinstance(one, Peer) and one.closed and not any(one is old for old in before)
                for one in gc.get_objects()
            ):
                await asyncio.sleep(0.05)
    finally:
        gc.enable()
