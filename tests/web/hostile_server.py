"""An HTTP server on loopback that answers in every bad way; its paths name the ways."""

import asyncio
import gzip
import threading
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]

PAGE = """<!doctype html><html><head><title>Pumps</title>
<meta name="description" content="About pumps."></head><body>
<nav><a href="/">Home</a></nav>
<article><h1>Pumps</h1>
<p>A pump moves a fluid by mechanical action, typically converted from electrical energy.</p>
<p>Mechanical pumps serve in a wide range of applications such as water wells, aquarium filtering,
pond filtering and aeration, in the car industry for water-cooling and fuel injection.</p>
<pre><code>pump.start()</code></pre></article></body></html>"""


@dataclass
class HostileServer:
    """The running server.

    Attributes:
        port: where it listens.
        asked: the request heads so far.
        open_connections: how many clients are connected.
    """

    answers: dict[str, Answer]
    port: int = 0
    asked: list[str] = field(default_factory=list)
    open_connections: int = 0

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"http://{self.place}{path}"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open_connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.asked.append(head)
            path = head.split(" ")[1]
            answer = self.answers.get(path, status(404, "Not Found"))
            await answer(writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self.open_connections -= 1
            writer.close()


def status(code: int, reason: str, *headers: str, body: bytes = b"") -> Answer:
    async def answer(writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {code} {reason}", f"Content-Length: {len(body)}", *headers]
        writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
        await writer.drain()

    return answer


def ok(body: bytes | str, content_type: str | None = "text/html", *headers: str) -> Answer:
    data = body.encode() if isinstance(body, str) else body
    types = [f"Content-Type: {content_type}"] if content_type is not None else []
    return status(200, "OK", *types, *headers, body=data)


def redirect(target: str) -> Answer:
    return status(302, "Found", f"Location: {target}")


def raw(*parts: bytes, pause_s: float = 0.0, forever: bool = False) -> Answer:
    """Send bytes as they are, with pauses; the last part again and again if it is endless."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)
        while forever:
            writer.write(parts[-1])
            await writer.drain()
            await asyncio.sleep(pause_s)

    return answer


def huge_zip(megabytes: int) -> bytes:
    """Zeros in one gzip stream, made of a block that is packed once and repeated."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    block = packer.compress(b"\0" * 1_000_000) + packer.flush(zlib.Z_FULL_FLUSH)
    end = packer.flush() + bytes(8)  # a wrong sum: nobody should come that far
    return gzip.compress(b"")[:10] + block * megabytes + end


def plain_deflate(text: str) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(text.encode()) + packer.flush()


_OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"

ANSWERS: dict[str, Answer] = {
    "/page": ok(PAGE),
    "/text": ok("plain words", "text/plain; charset=utf-8"),
    "/none": ok("no type at all", None),
    "/json": ok('{"a": 1}', "application/json"),
    "/picture": ok(b"\x89PNG\r\n\x1a\n\0\0", "image/png"),
    "/liar": ok(b"\x7fELF\0\0\0", "text/plain"),
    "/empty": ok("<html><body><script>x()</script></body></html>"),
    "/latin": ok("caf\xe9 cr\xe8me".encode("latin-1"), "text/plain; charset=iso-8859-1"),
    "/wrong": ok(
        "Un caf\xe9 cr\xe8me, d\xe9j\xe0 vu \xe0 l'\xe9t\xe9".encode("latin-1"),
        "text/plain; charset=utf-8",
    ),
    "/mark": ok("\ufeffmarked", "text/plain; charset=ascii"),
    "/unknown-charset": ok("na\xefve", "text/plain; charset=klingon"),
    "/gzip": ok(gzip.compress(b"zipped"), "text/plain", "Content-Encoding: gzip"),
    "/deflate": ok(plain_deflate("deflated"), "text/plain", "Content-Encoding: deflate"),
    "/brotli": ok(b"\x0b\x02\x80hello\x03", "text/plain", "Content-Encoding: br"),
    "/bomb": ok(huge_zip(500), "text/plain", "Content-Encoding: gzip"),
    "/cut-gzip": ok(gzip.compress(b"x" * 10_000)[:-12], "text/plain", "Content-Encoding: gzip"),
    "/no-gzip": ok(b"this is no gzip", "text/plain", "Content-Encoding: gzip"),
    "/huge": ok(b"x" * 6_000_000, "text/plain"),
    "/endless": raw(_OK + b"\r\n", b"x" * 65536, forever=True),
    "/slow": raw(_OK + b"\r\n", b"x", pause_s=0.2, forever=True),
    "/slow-head": raw(b"HTTP/1.1 200 OK\r\n", b"X-Drip: 1\r\n", pause_s=0.2, forever=True),
    "/silent": raw(b"", pause_s=0.2, forever=True),
    "/half": raw(_OK + b"Content-Length: 1000\r\n\r\nonly this"),
    "/no-http": raw(b"220 mail.example.org ESMTP\r\n"),
    "/login": status(401, "Unauthorized"),
    "/fault": status(503, "Service Unavailable"),
    "/here": redirect("/page"),
    "/loop": redirect("/loop"),
    "/metadata": redirect("http://169.254.169.254/latest/meta-data/"),
    "/file": redirect("file:///etc/passwd"),
    "/with-password": redirect("http://user:secret@127.0.0.1/"),
    "/no-place": redirect("http://[::1"),
    "/cookie": status(302, "Found", "Location: /text", "Set-Cookie: a=b"),
}


@contextmanager
def hostile_server(**answers: Answer) -> Iterator[HostileServer]:
    """Serve in a thread until the block ends; further answers are given by their first folder."""
    served = HostileServer(ANSWERS | {f"/{path}": each for path, each in answers.items()})
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    listening = asyncio.run_coroutine_threadsafe(
        asyncio.start_server(served.handle, "127.0.0.1", 0), loop
    ).result()
    served.port = listening.sockets[0].getsockname()[1]
    try:
        yield served
    finally:
        asyncio.run_coroutine_threadsafe(_ended(listening), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _ended(listening: asyncio.Server) -> None:
    listening.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
