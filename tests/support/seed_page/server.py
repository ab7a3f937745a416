"""Serves the page from a loopback port of its own, as the seeds' web app is served."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).parent
FILES = {
    "/": (HERE / "index.html", "text/html"),
    "/app.js": (HERE / "app.js", "text/javascript"),
    # As npm delivers it.
    "/jrpc-oo.js": (
        HERE.parents[2] / "node_modules/@flatmax/jrpc-oo/dist/bundle.js",
        "text/javascript",
    ),
}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        found = FILES.get(self.path.partition("?")[0])
        self.send_response(200 if found else 404)
        if found:
            self.send_header("Content-Type", f"{found[1]}; charset=utf-8")
        self.end_headers()
        if found:
            self.wfile.write(found[0].read_bytes())

    def log_message(self, *_args: object) -> None:
        """Stay silent."""


@contextlib.contextmanager
def seed_page_server() -> Iterator[int]:
    """Serve for the time of the block; gives the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, name="seed page")
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join(30)
        server.server_close()
