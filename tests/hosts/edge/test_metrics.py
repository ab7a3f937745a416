"""The counts of a host over HTTP."""

from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, RequestHandler

from jupyter_ac.hosts.edge.metrics import answer_metrics
from jupyter_ac.rpc.call_metrics import CallMetrics

METRICS = CallMetrics(["Repo.read"])


class Handler(RequestHandler):
    """Answers anybody."""

    async def get(self) -> None:
        await answer_metrics(self, METRICS)


async def test_counts_are_in_prometheus_format() -> None:
    METRICS.record("Repo.read", "success", 0.002)
    METRICS.record("anything", "method_not_found", 0.001)
    listener, port = bind_unused_port()
    server = HTTPServer(Application([("/", Handler)]))
    server.add_socket(listener)
    answered = await AsyncHTTPClient().fetch(f"http://127.0.0.1:{port}/")
    server.stop()
    await server.close_all_connections()
    assert answered.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert answered.headers["Cache-Control"] == "no-store"
    text = answered.body.decode()
    assert 'method="Repo.read"' in text
    assert 'method="unknown"' in text
    assert "anything" not in text
