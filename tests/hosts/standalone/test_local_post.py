"""`POST /rpc` of the stand-alone server."""

import asyncio
import gzip
import json
from collections.abc import Callable

import pytest

from jupyter_ac.hosts.standalone.server import Address
from tests.hosts.standalone.conftest import Serve, get, talk
from tests.support.repositories import RepositoryFolder

Call = dict[str, object]
BRANCH: Call = {"jsonrpc": "2.0", "id": 1, "method": "Repo.get_current_branch"}


async def post(
    address: Address,
    content: object,
    *headers: str,
    query: str = "",
    token: str | None = None,
    kind: str = "application/json",
) -> tuple[int, dict[str, str], str]:
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    shown = address.token if token is None else token
    return await talk(
        address.port,
        f"POST /rpc{query} HTTP/1.1",
        f"Host: 127.0.0.1:{address.port}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        *([f"Authorization: token {shown}"] if shown else []),
        *headers,
        body=body,
    )


async def answer(address: Address, content: object, *headers: str, query: str = "") -> object:
    status, found, body = await post(address, content, *headers, query=query)
    assert (status, found["content-type"]) == (200, "application/json")
    assert found["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in found
    made: object = json.loads(body)
    return made


async def test_a_call_is_answered(address: Address) -> None:
    made = await answer(address, BRANCH)
    assert isinstance(made, dict)
    assert (made["id"], made["result"]["branch"]) == (1, "main")
    named = {**BRANCH, "method": "Repo.get_file_content", "params": {"path": "a.py"}}
    assert await answer(address, named) == {"jsonrpc": "2.0", "id": 1, "result": "print(1)\n"}


async def test_a_batch_is_one_array_and_errors_travel_with_200(address: Address) -> None:
    made = await answer(
        address,
        [
            BRANCH,
            {"jsonrpc": "2.0", "method": "Repo.get_current_branch"},
            {"jsonrpc": "2.0", "id": "x", "method": "Repo.nope"},
            {"jsonrpc": "2.0", "id": "y", "method": "browser.nope"},
            {"jsonrpc": "2.0", "id": "z", "method": "execute_task", "params": {}},
            7,
        ],
    )
    assert isinstance(made, list)
    codes = {each["id"]: each["error"]["code"] for each in made if "error" in each}
    assert codes == {"x": -32601, "y": "METHOD_NOT_FOUND", "z": -32602, None: -32600}
    assert len(made) == 5


async def test_notifications_alone_have_no_answer(address: Address) -> None:
    silent = {"jsonrpc": "2.0", "method": "Repo.get_current_branch"}
    for content in (silent, [silent, silent]):
        status, headers, body = await post(address, content)
        assert (status, body) == (204, "")
        assert headers.get("content-length", "0") == "0"


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[1", b"NaN"])
async def test_what_is_no_json_is_a_parse_error(address: Address, content: bytes) -> None:
    for query in ("", "?profile=jsonrpc2", "?profile=epoch", "?profile=planner"):
        made = await answer(address, content, query=query)
        assert isinstance(made, dict)
        assert (made["id"], made["error"]["code"]) == (None, -32700)


async def test_the_profile_of_the_address_holds_for_all_calls(address: Address) -> None:
    nope: Call = {"jsonrpc": "2.0", "id": 1, "method": "browser.nope"}
    codes = {}
    for profile in ("epoch", "planner", "jsonrpc2", "jrpc-oo"):
        made = await answer(address, nope, query=f"?profile={profile}")
        assert isinstance(made, dict)
        codes[profile] = made["error"]["code"]
    assert codes == {
        "epoch": "METHOD_NOT_FOUND",
        **dict.fromkeys(("planner", "jsonrpc2", "jrpc-oo"), -32601),
    }
    arguments = {**BRANCH, "method": "Repo.get_file_content", "params": {"args": ["a.py", None, 9]}}
    marked = b"\xef\xbb\xbf" + json.dumps([arguments, arguments]).encode()
    assert len(str(await answer(address, marked, query="?profile=jrpc-oo")).split("'id'")) == 3
    for content in (arguments, [arguments, arguments]):
        made = await answer(address, content, query="?profile=jrpc-oo")
        assert isinstance(made, list) is isinstance(content, list)
    status, _, body = await post(address, BRANCH, query="?profile=nope")
    assert status == 400
    assert "epoch, jrpc-oo, jsonrpc2, planner" in body


async def test_strangers_are_refused_before_their_body_is_read(address: Address) -> None:
    for given, status, headers in (
        ("", 401, ()),
        ("wrong", 401, ()),
        (None, 403, ("Origin: https://evil.example",)),
        (None, 403, ("Sec-Fetch-Site: cross-site",)),
    ):
        # No body is sent at all: the answer doesn't wait for it.
        shown = address.token if given is None else given
        found, _, body = await talk(
            address.port,
            "POST /rpc HTTP/1.1",
            f"Host: 127.0.0.1:{address.port}",
            "Content-Type: application/json",
            "Content-Length: 100000",
            *([f"Authorization: token {shown}"] if shown else []),
            *headers,
        )
        assert found == status
        assert set(json.loads(body)) == {"message"}
    found, _, _ = await talk(
        address.port,
        f"POST /rpc?token={address.token} HTTP/1.1",
        "Host: evil.example",
        "Content-Length: 0",
    )
    assert found == 403


async def test_what_http_has_a_word_for_is_a_status(address: Address) -> None:
    assert (await post(address, BRANCH, kind="text/plain"))[0] == 415
    assert (await post(address, b"x", "Content-Encoding: br"))[0] == 415
    assert (await post(address, b"x", "Content-Encoding: gzip"))[0] == 400
    assert (await post(address, BRANCH, query="?client=a%20b"))[0] == 400
    assert (await post(address, BRANCH, query="?repo=/"))[0] == 403
    assert (await post(address, BRANCH, query="?repo=docs"))[0] == 200
    for method in ("PUT", "DELETE", "PATCH"):
        status, headers, _ = await talk(
            address.port,
            f"{method} /rpc HTTP/1.1",
            f"Host: 127.0.0.1:{address.port}",
            "Content-Length: 0",
        )
        assert (status, headers["allow"]) == (405, "POST")
    status, headers, _ = await get(address.port, "/rpc")
    assert (status, headers["allow"]) == (405, "POST")


async def test_a_large_body_gets_a_whole_answer(
    serve: Serve, write_admin: Callable[[object], None]
) -> None:
    write_admin({"max_message_mb": 1})
    address = await serve()
    assert (await post(address, b" " * ((1 << 20) + 1)))[0] == 413
    padded = json.dumps(BRANCH).encode() + b" " * (1 << 19)
    assert (await post(address, padded))[0] == 200
    bomb = gzip.compress(b" " * (8 << 20))
    assert (await post(address, bomb, "Content-Encoding: gzip"))[0] == 413
    assert (await post(address, BRANCH))[0] == 200


async def test_an_answer_that_is_too_large_for_the_event_loop_arrives(
    address: Address, repository: RepositoryFolder
) -> None:
    text = "x" * (3 << 20)
    repository.write("large.txt", text)
    made = await answer(
        address, {**BRANCH, "method": "Repo.get_file_content", "params": ["large.txt"]}
    )
    assert made == {"jsonrpc": "2.0", "id": 1, "result": text}


async def test_gzip_goes_both_ways(address: Address) -> None:
    packed = gzip.compress(json.dumps(BRANCH).encode())
    assert isinstance(await answer(address, packed, "Content-Encoding: gzip"), dict)
    listed: Call = {"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"}
    reader, writer = await asyncio.open_connection("127.0.0.1", address.port)
    content = json.dumps(listed).encode()
    head = "\r\n".join(
        [
            f"POST /rpc?token={address.token} HTTP/1.1",
            f"Host: 127.0.0.1:{address.port}",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
            "Accept-Encoding: gzip",
            "Connection: close",
        ]
    )
    writer.write(f"{head}\r\n\r\n".encode() + content)
    answered = await reader.read()
    writer.close()
    headers, _, body = answered.partition(b"\r\n\r\n")
    assert b"Content-Encoding: gzip" in headers
    made = json.loads(gzip.decompress(body))
    assert made["result"]["methods"]["Repo.get_current_branch"]["access"] == "read"
    assert b"Content-Encoding" not in (await post(address, listed))[2].encode()


async def test_a_stream_has_each_frame_as_an_event(address: Address) -> None:
    content = json.dumps([BRANCH, {**BRANCH, "id": 2}]).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", address.port)
    head = "\r\n".join(
        [
            f"POST /rpc?token={address.token} HTTP/1.1",
            f"Host: 127.0.0.1:{address.port}",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
            "Accept: text/event-stream",
            "Connection: close",
        ]
    )
    writer.write(f"{head}\r\n\r\n".encode() + content)
    async with asyncio.timeout(60):
        answered = (await reader.read()).decode()
    writer.close()
    assert "Content-Type: text/event-stream; charset=utf-8" in answered
    frames = [
        json.loads(line.removeprefix("data: "))
        for line in answered.splitlines()
        if line.startswith("data: ")
    ]
    (answers,) = [frame for frame in frames if isinstance(frame, list)]
    assert {each["id"] for each in answers} == {1, 2}
    assert all(frame["method"].startswith("AcApp.") for frame in frames if frame is not answers)


async def test_posts_and_sockets_see_the_same(address: Address) -> None:
    chosen: Call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "LLMService.set_selected_files",
        "params": [["a.py"]],
    }
    assert await answer(address, chosen, query="?client=one") == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": ["a.py"],
    }
    kept = {**chosen, "method": "LLMService.get_selected_files", "params": []}
    made = await answer(address, kept, query="?client=two")
    assert made == {"jsonrpc": "2.0", "id": 1, "result": ["a.py"]}


async def test_one_connection_carries_many_requests(address: Address) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", address.port)
    content = json.dumps(BRANCH).encode()
    head = (
        f"POST /rpc?token={address.token} HTTP/1.1\r\nHost: 127.0.0.1:{address.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    ).encode()
    async with asyncio.timeout(60):
        for _ in range(3):
            writer.write(head + content)
            found = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = next(row for row in found.split("\r\n") if row.startswith("Content-Length"))
            body = await reader.readexactly(int(length.partition(":")[2]))
            assert json.loads(body)["result"]["branch"] == "main"
    writer.close()


async def test_a_token_is_no_part_of_a_log(
    address: Address, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    await post(address, BRANCH, query=f"?token={address.token}", token="")
    await post(address, BRANCH, kind="text/plain")
    assert address.token not in caplog.text


async def test_metrics_need_the_token_and_count_calls(address: Address) -> None:
    await answer(address, BRANCH)
    await answer(address, {**BRANCH, "method": "Repo.nope"})
    assert (await get(address.port, "/metrics"))[0] == 401
    status, headers, body = await get(address.port, f"/metrics?token={address.token}")
    assert status == 200
    assert headers["content-type"].startswith("text/plain; version=0.0.4")
    rows = [row for row in body.splitlines() if 'method="Repo.get_current_branch"' in row]
    assert any(row.endswith(" 1.0") for row in rows), body
    counted = await answer(address, {"jsonrpc": "2.0", "id": 1, "method": "get_metrics"})
    assert isinstance(counted, dict)
    methods = {row["method"]: row for row in counted["result"]["methods"]}
    assert methods["Repo.get_current_branch"]["success"] == 1
    assert methods["unknown"]["error"] == 1
    assert counted["result"]["errors"] == {"method_not_found": 1}
