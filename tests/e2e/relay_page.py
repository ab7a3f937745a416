"""What a page saw of the relay: the messages themselves, counted beside the widget's own code."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from playwright.sync_api import Page

RECORD = """() => {
    const record = window.relayRecord = { at: performance.now(), iopub: 0, relay: [], tasks: [] };
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    kernel.iopubMessage.connect((_, message) => {
        record.iopub += 1;
        const content = message.content?.data?.content;
        if (message.header.msg_type === 'comm_msg' && content?.type === 'relay') {
            const { seq, frames } = content;
            record.relay.push({ at: performance.now() - record.at, seq, frames });
        }
    });
    new PerformanceObserver(list => {
        for (const task of list.getEntries()) record.tasks.push(task.duration);
    }).observe({ entryTypes: ['longtask'] });
}"""


@dataclass(frozen=True)
class Recorded:
    """The record of one stretch of time.

    Attributes:
        seconds: how long it was.
        iopub: messages of all kinds that the kernel published and the page got.
        arrivals_s: when each message of the relay's came.
        parts: the relay's parts by number, as they came first.
        repeated: parts that came more than once.
        long_tasks_ms: the page's tasks of 50 ms and more.
    """

    seconds: float
    iopub: int
    arrivals_s: list[float]
    parts: dict[int, str]
    repeated: int
    long_tasks_ms: list[float]

    def text_of_stream(self) -> str:
        """Put the streamed increments together by their offsets, which must meet."""
        text = ""
        for _, part in sorted(self.parts.items()):
            frame = json.loads(part)
            if frame.get("method") == "AcApp.streamDelta":
                _, offset, piece = frame["params"]["args"]
                assert offset == len(text)
                text += piece
        return text


def start_record(page: Page) -> None:
    """Record from now on."""
    page.evaluate(RECORD)


def read_record(page: Page) -> Recorded:
    """Give what was recorded so far."""
    record = page.evaluate(
        """() => {
            const record = window.relayRecord;
            return { ...record, seconds: (performance.now() - record.at) / 1000 };
        }"""
    )
    parts: dict[int, str] = {}
    repeated = 0
    for message in record["relay"]:
        for number, part in enumerate(message["frames"], message["seq"]):
            repeated += number in parts
            parts.setdefault(number, part if isinstance(part, str) else part[0])
    return Recorded(
        record["seconds"],
        record["iopub"],
        [message["at"] / 1000 for message in record["relay"]],
        parts,
        repeated,
        record["tasks"],
    )


def busiest_second(times_s: Sequence[float]) -> int:
    """Give the most of these times that lie within one second, wherever it begins."""
    return max(sum(start <= time_s < start + 1 for time_s in times_s) for start in times_s)


def figures(page: Page) -> dict[str, int]:
    """Give what the widget's own end of the link has counted."""
    found: dict[str, int] = page.evaluate(
        """() => {
            for (const node of document.querySelectorAll('.jp-OutputArea *')) {
                if (node.acRelay) return node.acRelay();
            }
            return null;
        }"""
    )
    return found
