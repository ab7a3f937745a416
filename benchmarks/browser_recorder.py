"""What is recorded of a page: the list of its requests, and a console that writes 50,000 lines.

The list is asked for over 10,000 recorded requests, beside SQLite in memory with a row for each, as
a recorder on a database has them. The lines come over a WebSocket from another process as fast as
they are taken, which is much faster than in a minute; the loop's stalls stand beside those of an
idle loop.
"""

import asyncio
import re
import sqlite3
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.figure import at_most, reported
from benchmarks.host.gauges import idle_loop
from benchmarks.host.heartbeat import Pulse
from benchmarks.host.processes import module
from jupyter_ac.browser.cdp import CdpConnection, Json
from jupyter_ac.browser.console_log import ConsoleLog
from jupyter_ac.browser.network_log import NetworkLog, NetworkQuery
from jupyter_ac.browser.request_store import RecordLimits
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.browser.transports import open_socket

ROUNDS: Final = 7
REQUESTS: Final = 10_000
LINES: Final = 50_000
LIST_MS: Final = 5
STALL_MS: Final = 50
FLAT_MB: Final = 10
WAIT_S: Final = 120.0


def record(log: NetworkLog) -> None:
    """Record requests as a browser tells of them: each in five events."""
    headers = {f"header-{number}": "some value of it" for number in range(12)}
    for number in range(REQUESTS):
        url = f"http://127.0.0.1:8000/api/{number % 97}/items?page={number}&token=abc{number}"
        request: Json = {"url": url, "method": "GET", "headers": headers}
        status = 500 if number % 100 == 0 else 200
        response: Json = {"status": status, "headers": headers, "mimeType": "application/json"}
        common: Json = {"requestId": str(number), "timestamp": float(number)}
        wall: Json = {"wallTime": 1.7e9 + number, "type": "Fetch"}
        log.take("Network.requestWillBeSent", common | wall | {"request": request})
        log.take("Network.requestWillBeSentExtraInfo", common | {"headers": headers})
        extra: Json = {"headers": headers, "statusCode": status}
        log.take("Network.responseReceivedExtraInfo", common | extra)
        log.take("Network.responseReceived", common | {"response": response, "type": "Fetch"})
        log.take("Network.loadingFinished", common | {"encodedDataLength": 1234})


def in_sqlite(log: NetworkLog) -> sqlite3.Connection:
    """Put the same rows into SQLite."""
    database = sqlite3.connect(":memory:")
    rows = log.rows(NetworkQuery(limit=1000, order="asc", reveal=True))
    names = ", ".join(rows[0])
    database.execute(f"CREATE TABLE requests ({names})")
    marks = ", ".join("?" for _ in rows[0])
    for number in range(REQUESTS):
        row = {**rows[number % len(rows)], "id": number}
        database.execute(f"INSERT INTO requests VALUES ({marks})", list(row.values()))  # noqa: S608
    return database


def milliseconds(action: Callable[[], object]) -> list[float]:
    """How long an action takes, in each round."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        action()
        times.append((time.perf_counter() - begun) * 1000)
    return times


def lists() -> None:
    """Measure the list of requests."""
    log = NetworkLog(RowIds(), RecordLimits(REQUESTS, 10**9))
    begun = time.perf_counter()
    record(log)
    reported(
        "recording a request, five events", [(time.perf_counter() - begun) * 1e6 / REQUESTS], "us"
    ).emit()
    database = in_sqlite(log)

    def sql(where: str) -> list[float]:
        query = f"SELECT * FROM requests WHERE {where} ORDER BY id DESC LIMIT 50"  # noqa: S608
        return milliseconds(lambda: database.execute(query).fetchall())

    cases = {
        "all": (NetworkQuery(limit=50), "1"),
        "status 500": (NetworkQuery(limit=50, status=500), "status = 500"),
        "a glob that fits none": (NetworkQuery(limit=50, url="*nothing*"), "url GLOB '*nothing*'"),
    }
    for words, (query, where) in cases.items():
        times = milliseconds(partial(log.rows, query))
        name = f"network(limit=50) of 10,000 requests, {words}"
        at_most(name, times, "ms", LIST_MS, ("SQLite, not redacted", sql(where))).emit()


def memory_mb() -> float:
    """What this process holds in memory."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found.group(1)) / 1024 if found is not None else 0.0


async def floods() -> None:
    """Measure the console."""
    log = ConsoleLog(RowIds())
    taken = 0
    is_done = asyncio.Event()

    def take(method: str, params: Json) -> None:
        nonlocal taken
        taken += 1
        log.take(method, params)
        if taken % LINES == 0:
            is_done.set()

    stalls, busiest, idles, times, memory = [], [], [], [], []
    with module("benchmarks.wire.console_flood") as (_, url), idle_loop() as idle:
        transport = await open_socket(url)
        connection = CdpConnection(transport)
        connection.listen("s", take)
        connection.start()
        pulse = Pulse()
        pulse.start()
        for number in range(1, ROUNDS + 1):
            idle.read()
            pulse.take()
            begun = time.perf_counter()
            await transport.send(f'{{"id": {LINES}}}')
            async with asyncio.timeout(WAIT_S):
                await is_done.wait()
            is_done.clear()
            times.append(time.perf_counter() - begun)
            stall = pulse.take()
            stalls.append(stall["longest_ms"])
            busiest.append(stall["busiest_ms"])
            idles.append(idle.read())
            memory.append(memory_mb())
            assert len(log) == LINES
            assert log.dropped == (number - 1) * LINES
        await connection.aclose()
    reported("50,000 lines of a console recorded", times, "s").emit()
    beside = ("an idle loop beside it", idles)
    at_most("longest stall, 50,000 lines of a console", stalls, "ms", STALL_MS, beside).emit()
    reported("most work within 5 ms, 50,000 lines of a console", busiest, "ms").emit()
    growth = [max(0.0, memory[-1] - memory[1])]
    at_most("memory after 5 x 50,000 more lines", growth, "MB", FLAT_MB).emit()
    reported("memory with 50,000 lines", memory, "MB").emit()


def main() -> None:
    """Measure both."""
    lists()
    asyncio.run(floods())


if __name__ == "__main__":
    main()
