"""Fetching a page of 200 kB in our process beside bare httpx and trafilatura.

The bare side runs in this process, which has loaded both; ours starts a process ahead, as it does
while a person types an address.
"""

import asyncio
import http.server
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import httpx
import trafilatura

from benchmarks.figure import within
from jupyter_ac.web.addresses import parse_address
from jupyter_ac.web.fetch_process import Fetcher
from jupyter_ac.web.host_rules import HostRules

ROUNDS: Final = 11
PARAGRAPHS: Final = 560
MOST_RATIO: Final = 1.2
WARM_S: Final = 3.0

_SENTENCE: Final = (
    "Paragraph {number} says how a pump moves a fluid: by mechanical action, typically converted "
    "from electrical energy, into the hydraulic energy of the pipe behind it, with few losses. "
    "Mechanical pumps serve in wells, in aquariums, in the car industry and in medicine, see "
    "<a href='/p/{number}'>the table of part {number}</a> for the figures of each of its kinds."
)


def page() -> bytes:
    """Make a page of about 200 kB."""
    paragraphs = (f"<p>{_SENTENCE.format(number=number)}</p>" for number in range(PARAGRAPHS))
    body = f"<article><h1>Pumps</h1>{''.join(paragraphs)}</article>"
    return (
        f"<!doctype html><html><head><title>Pumps</title></head><body>{body}</body></html>".encode()
    )


class _Handler(http.server.BaseHTTPRequestHandler):
    data = b""

    def do_GET(self) -> None:
        """Answer with the page."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.data)))
        self.end_headers()
        self.wfile.write(self.data)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def serving() -> Iterator[str]:
    """Serve the page on loopback until the block ends; gives host and port."""
    _Handler.data = page()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()


def bare(url: str) -> float:
    """Fetch and extract without anything of ours; milliseconds."""
    began = time.perf_counter()
    text = httpx.get(url, trust_env=False).text
    assert trafilatura.extract(text, output_format="markdown", include_links=True)
    return (time.perf_counter() - began) * 1000


async def ours(fetcher: Fetcher, url: str) -> float:
    """Fetch through a process that was started ahead; milliseconds."""
    address = parse_address(url)
    assert address is not None
    fetcher.warm()
    await asyncio.sleep(WARM_S)
    began = time.perf_counter()
    found = await fetcher.fetch(address, Path(), lambda _: None)
    took = time.perf_counter() - began
    assert "Paragraph 559" in found.content
    return took * 1000


async def main() -> None:
    """Measure both in alternation."""
    with serving() as place, TemporaryDirectory():
        fetcher = Fetcher(HostRules, [place])
        url, mine, theirs = f"http://{place}/page", list[float](), list[float]()
        for number in range(ROUNDS + 1):
            pair = await ours(fetcher, f"{url}{number}"), await asyncio.to_thread(bare, url)
            if number:  # the first one loads the bare side's tables
                mine.append(pair[0])
                theirs.append(pair[1])
        await fetcher.aclose()
    rival = ("bare httpx and trafilatura", theirs)
    within("a page of 200 kB, process started ahead", mine, "ms", rival, MOST_RATIO).emit()


if __name__ == "__main__":
    asyncio.run(main())
