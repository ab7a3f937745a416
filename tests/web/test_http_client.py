"""Downloads from servers that answer in every bad way: each ends in a sentence, within limits."""

import asyncio
import os
from collections.abc import Iterator, Sequence

import pytest

from jupyter_ac.errors import AccessDenied, AcError, NotFound, TooLarge, Unsupported
from jupyter_ac.web.host_rules import HostRules
from jupyter_ac.web.http_client import Download, HttpClient
from tests.web.hostile_server import HostileServer, hostile_server, redirect

MEGABYTE = 1_000_000


@pytest.fixture
def server() -> Iterator[HostileServer]:
    with hostile_server() as served:
        yield served


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in os.environ if each.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)


def is_text(media_type: str) -> bool:
    return media_type in ("", "application/json") or media_type.startswith("text/")


async def got(server: HostileServer, path: str, **rules: Sequence[str]) -> Download:
    client = HttpClient(HostRules(**rules), let_through=[server.place])
    async with asyncio.timeout(20):
        return await client.download(server.url(path), 5 * MEGABYTE, is_text)


async def refusal(server: HostileServer, path: str) -> AcError:
    with pytest.raises(AcError) as caught:
        await got(server, path)
    return caught.value


async def test_a_page(server: HostileServer) -> None:
    download = await got(server, "/page")
    assert download.media_type == "text/html"
    assert b"<title>Pumps" in download.data
    assert download.url == server.url("/page")


@pytest.mark.parametrize(
    ("path", "data"), [("/gzip", b"zipped"), ("/deflate", b"deflated"), ("/text", b"plain words")]
)
async def test_compression(server: HostileServer, path: str, data: bytes) -> None:
    assert (await got(server, path)).data == data


@pytest.mark.parametrize(
    ("path", "error", "words"),
    [
        ("/missing", NotFound, "answers 404 Not Found"),
        ("/login", AccessDenied, "asks for a login"),
        ("/fault", Unsupported, "answers 503 Service Unavailable"),
        ("/picture", Unsupported, "'image/png', which isn't text"),
        ("/huge", TooLarge, "larger than 5 MB"),
        ("/endless", TooLarge, "larger than 5 MB"),
        ("/bomb", TooLarge, "larger than 5 MB"),
        ("/brotli", Unsupported, "'br', which wasn't asked for"),
        ("/cut-gzip", Unsupported, "ends too early"),
        ("/no-gzip", Unsupported, "damaged"),
        ("/half", Unsupported, "can't be read"),
        ("/no-http", Unsupported, "can't be read"),
        ("/loop", Unsupported, "redirects more than 5 times"),
        ("/metadata", AccessDenied, "link-local or metadata"),
        ("/file", Unsupported, "begin with http:// or https://"),
        ("/with-password", AccessDenied, "user name or a password"),
        ("/no-place", Unsupported, "can't be read"),
    ],
)
async def test_bad_answers(
    server: HostileServer, path: str, error: type[AcError], words: str
) -> None:
    refused = await refusal(server, path)
    assert isinstance(refused, error)
    assert words in str(refused)


async def test_redirects_are_followed_without_cookies(server: HostileServer) -> None:
    assert (await got(server, "/here")).url == server.url("/page")
    await got(server, "/cookie")
    assert not [head for head in server.asked if "cookie:" in head.lower()]


async def test_a_redirect_inwards_is_refused() -> None:
    with (
        hostile_server() as inside,
        hostile_server(inwards=redirect(inside.url("/text"))) as out,
    ):
        refused = await refusal(out, "/inwards")
    assert "private network" in str(refused)
    assert not inside.asked


async def test_a_name_server_that_changes_its_mind_has_no_effect(server: HostileServer) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])

    async def rebinding(_host: str, _port: int) -> list[str]:
        return next(answers)

    client = HttpClient(HostRules(), rebinding, [server.place])
    url = f"http://rebinding.example:{server.port}/text"
    assert (await client.download(url, MEGABYTE, is_text)).data == b"plain words"
    assert f"host: rebinding.example:{server.port}" in server.asked[0].lower()
    with pytest.raises(AccessDenied, match=r"10\.0\.0\.1"):
        await client.download(url, MEGABYTE, is_text)


async def test_of_several_addresses_private_ones_are_passed_over(server: HostileServer) -> None:
    async def several(_host: str, _port: int) -> list[str]:
        return ["192.168.1.1", "127.0.0.1"]

    client = HttpClient(HostRules(), several, [server.place])
    download = await client.download(f"http://two.example:{server.port}/text", MEGABYTE, is_text)
    assert download.data == b"plain words"


async def test_the_next_address_is_tried(server: HostileServer) -> None:
    async def several(_host: str, _port: int) -> list[str]:
        return ["127.0.0.2", "127.0.0.1"]

    closed = f"127.0.0.2:{server.port}"
    client = HttpClient(HostRules(), several, [server.place, closed])
    download = await client.download(f"http://two.example:{server.port}/text", MEGABYTE, is_text)
    assert download.data == b"plain words"


async def test_unknown_hosts() -> None:
    async def none(_host: str, _port: int) -> list[str]:
        raise OSError

    with pytest.raises(NotFound, match=r"no host nowhere\.example"):
        await HttpClient(HostRules(), none).download("http://nowhere.example/", MEGABYTE, is_text)


@pytest.mark.parametrize(
    "host", ["localhost", "127.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"]
)
async def test_spellings_of_this_machine(server: HostileServer, host: str) -> None:
    with pytest.raises((AccessDenied, NotFound)):
        await HttpClient(HostRules()).download(
            f"http://{host}:{server.port}/text", MEGABYTE, is_text
        )
    assert not server.asked


async def test_a_proxy_is_used_and_named(
    server: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://me:secret@{server.place}")
    server.answers["http://far.example/text"] = server.answers["/text"]

    async def unknown(_host: str, _port: int) -> list[str]:
        raise OSError

    client = HttpClient(HostRules(), unknown)
    download = await client.download("http://far.example/text", MEGABYTE, is_text)
    assert download.data == b"plain words"
    assert download.proxy == server.place
    with pytest.raises(AccessDenied):
        await client.download("http://10.0.0.1/text", MEGABYTE, is_text)


async def test_bytes_are_reported(server: HostileServer) -> None:
    counts: list[int] = []
    client = HttpClient(HostRules(), let_through=[server.place])
    await client.download(server.url("/text"), MEGABYTE, is_text, counts.append)
    assert counts[-1] == len(b"plain words")
