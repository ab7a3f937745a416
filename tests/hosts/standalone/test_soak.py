"""200 clients on one stand-alone server; `python -m benchmarks soak` prints what they measure.

The long one takes a minute: `make soak`.
"""

import pytest

from benchmarks.soak import CLIENTS, GROWTH_MB, SECONDS, Report, serving, soak

FEW_SECONDS = 3.0


def check(report: Report) -> None:
    assert report.errors == []
    assert report.calls > CLIENTS
    assert report.heard > CLIENTS
    assert report.returns > 0
    before, during, after = report.tasks
    assert during > before + CLIENTS
    assert after <= before


async def test_a_few_seconds() -> None:
    with serving() as server:
        check(await soak(server, FEW_SECONDS, CLIENTS, asks=False))


@pytest.mark.soak
@pytest.mark.timeout(300)
async def test_a_minute() -> None:
    with serving() as server:
        report = await soak(server, SECONDS, CLIENTS)
    check(report)
    assert report.asked > 5
    assert report.growth < GROWTH_MB
