"""A parameter sweep: threads compute, the panel shows progress, Stop cancels the rest."""

import asyncio
import math

from jupyter_ac.panels import Plugin, component, html, use_effect, use_state

RATES, DEPTHS = [0.1, 0.2, 0.5, 1.0], [1, 2, 4, 8]
PAIRS = [(rate, depth) for rate in RATES for depth in DEPTHS]
ACCENT = "var(--ac-accent, #1d63c4)"


def loss(rate, depth):
    """Stand for a training run; put yours here."""
    noise = sum(math.sin(n * rate) ** 2 for n in range(300_000)) / 1e6
    return abs(math.log(rate * depth / 1.6)) + noise


@component
def Cell(value, is_best):
    if value is None:
        return html.td("…")
    share = max(0, 60 - 20 * value)
    style = {"background": f"color-mix(in srgb, {ACCENT} {share:.0f}%, transparent)"}
    return html.td(html.strong(f"{value:.2f} ★") if is_best else f"{value:.2f}", style=style)


@component
def Sweep():
    results, set_results = use_state({})
    is_running, set_running = use_state(False)

    async def run():
        known = {}
        for pair in PAIRS if is_running else []:
            set_results(dict(known))
            known[pair] = await asyncio.to_thread(loss, *pair)
        if is_running:
            set_results(known)
            set_running(False)

    use_effect(run, [is_running])  # a change of it cancels what runs
    best = min(results, key=results.get, default=None)
    bar = {"background": ACCENT, "height": 6, "width": f"{100 * len(results) // len(PAIRS)}%"}
    word = "Stop" if is_running else "Start"
    button = html.button(word, on_click=lambda: set_running(not is_running))
    cells = {pair: Cell(results.get(pair), pair == best) for pair in PAIRS}
    return html.section(
        html.p(button, f" {len(results)} of {len(PAIRS)} runs"),
        html.div(style=bar),
        html.table(
            html.tr(html.th("rate"), [html.th(f"depth {depth}") for depth in DEPTHS]),
            [html.tr(html.th(rate), [cells[rate, depth] for depth in DEPTHS]) for rate in RATES],
        ),
    )


plugin = Plugin(Sweep, title="Parameter sweep")
