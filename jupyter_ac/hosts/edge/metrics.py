"""`GET …/metrics`: the counts of a host in Prometheus' text format, for both servers."""

import asyncio
from importlib import import_module

from tornado.web import RequestHandler

from jupyter_ac.rpc.call_metrics import CONTENT_TYPE, CallMetrics


async def answer_metrics(handler: RequestHandler, metrics: CallMetrics) -> None:
    """Answer with all counts; whoever asks was let in before."""
    # Importing the client library takes 150 ms.
    await asyncio.to_thread(import_module, "jupyter_ac.rpc.metrics_text")
    handler.set_header("Cache-Control", "no-store")
    text = metrics.text()
    handler.write(text)
    handler.set_header("Content-Length", str(len(text)))
    # Not by `finish`: a handler of Jupyter's would call it JSON.
    handler.set_header("Content-Type", CONTENT_TYPE)
    await handler.flush()
