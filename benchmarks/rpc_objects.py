"""`jupyter_ac.jrpc_oo` through the real JavaScript client, beside an echo and upstream's Python."""

from contextlib import ExitStack
from typing import Final

from benchmarks.figure import beside, reported
from benchmarks.host.processes import module
from benchmarks.rpc import COUNT, ROUNDS, TRAFFIC, Rates, rival, traffic

ECHO_SHARE: Final = 0.5
BETTER: Final = 1.0
PLAIN: Final = {
    "Probe.plus": "plain methods that compute",
    "Probe.larger": "plain methods in a thread",
}
BARRED: Final = ("sequential", "events")


def main() -> None:
    """Measure the three servers in alternation."""
    ours: list[Rates] = []
    floor: list[Rates] = []
    upstream: list[Rates] = []
    plain: dict[str, tuple[list[Rates], list[Rates]]] = {name: ([], []) for name in PLAIN}
    count = str(COUNT)
    with ExitStack() as stack:
        _, url = stack.enter_context(module("benchmarks.wire.ours"))
        _, echo = stack.enter_context(module("benchmarks.wire.echo"))
        _, rival_url = stack.enter_context(module("benchmarks.wire.upstream"))
        for _ in range(ROUNDS):
            ours.append(traffic("jrpc", url, count))
            floor.append(traffic("raw", echo, count))
            upstream.append(traffic("jrpc", rival_url, count))
            for name, (our_rates, their_rates) in plain.items():
                our_rates.append(traffic("call", url, count, name))
                their_rates.append(traffic("call", rival_url, count, name))
    for key, words in TRAFFIC.items():
        values = [rates[key] for rates in ours]
        name = f"JRPCServer, {words}"
        beside(name, values, "/s", rival("bare tornado echo", floor, key), ECHO_SHARE).emit()
        other = rival("upstream's Python server", upstream, key)
        if key in BARRED:
            beside(name, values, "/s", other, BETTER).emit()
        else:
            reported(name, values, "/s", other).emit()
    for name, words in PLAIN.items():
        our_rates, their_rates = plain[name]
        values = [rates["sequential"] for rates in our_rates]
        title = f"JRPCServer, {words} one after another"
        other = rival("upstream's, on its loop", their_rates, "sequential")
        beside(title, values, "/s", other, BETTER).emit()


if __name__ == "__main__":
    main()
