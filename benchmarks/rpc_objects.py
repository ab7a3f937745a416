"""`jupyter_ac.jrpc_oo` through the real JavaScript client, beside an echo and upstream's Python."""

from contextlib import ExitStack
from typing import Final

from benchmarks.figure import beside, reported
from benchmarks.host.processes import module
from benchmarks.rpc import COUNT, ROUNDS, TRAFFIC, Rates, rival, traffic

ECHO_SHARE: Final = 0.5
BETTER: Final = 1.0
BARRED: Final = ("sequential", "events")


def main() -> None:
    """Measure the three servers in alternation."""
    ours: list[Rates] = []
    floor: list[Rates] = []
    upstream: list[Rates] = []
    plain: list[Rates] = []
    theirs: list[Rates] = []
    count = str(COUNT)
    with ExitStack() as stack:
        _, url = stack.enter_context(module("benchmarks.wire.ours"))
        _, echo = stack.enter_context(module("benchmarks.wire.echo"))
        _, rival_url = stack.enter_context(module("benchmarks.wire.upstream"))
        for _ in range(ROUNDS):
            ours.append(traffic("jrpc", url, count))
            floor.append(traffic("raw", echo, count))
            upstream.append(traffic("jrpc", rival_url, count))
            plain.append(traffic("call", url, count, "Probe.plus"))
            theirs.append(traffic("call", rival_url, count, "Probe.plus"))
    for key, words in TRAFFIC.items():
        values = [rates[key] for rates in ours]
        name = f"JRPCServer, {words}"
        beside(name, values, "/s", rival("bare tornado echo", floor, key), ECHO_SHARE).emit()
        other = rival("upstream's Python server", upstream, key)
        if key in BARRED:
            beside(name, values, "/s", other, BETTER).emit()
        else:
            reported(name, values, "/s", other).emit()
    values = [rates["sequential"] for rates in plain]
    other = rival("upstream's, on its loop", theirs, "sequential")
    reported("JRPCServer, plain methods one after another", values, "/s", other).emit()


if __name__ == "__main__":
    main()
