"""A live chart: a coroutine effect takes samples, the picture is SVG in the host's colours."""

import asyncio
import math
import random
from urllib.parse import quote

from jupyter_ac.panels import Plugin, component, html, use_effect, use_environment, use_state

WIDTH, HEIGHT, SAMPLES = 480, 120, 120


def drawn(samples, colour):
    step = WIDTH / (SAMPLES - 1)
    points = " ".join(
        f"{at * step:.1f},{HEIGHT / 2 - value * HEIGHT / 3:.1f}" for at, (_, value) in samples
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<path d="M0 {HEIGHT / 2}H{WIDTH}" stroke="gray" opacity=".4"/>'
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/></svg>'
    )
    return f"data:image/svg+xml,{quote(svg)}"


def after(samples, noise):
    time = samples[-1][0] + 1 if samples else 0
    return (*samples, (time, math.sin(time / 9) + random.gauss(0, noise)))[-SAMPLES:]


@component
def LiveChart(seconds=0.1):
    samples, set_samples = use_state(())
    noise, set_noise = use_state("0.1")
    is_running, set_running = use_state(True)
    is_dark = use_environment().color_scheme == "dark"

    async def measure():
        while is_running:
            set_samples(lambda now: after(now, float(noise)))
            await asyncio.sleep(seconds)

    use_effect(measure, [is_running, noise, seconds])
    picture = drawn(enumerate(samples), "#7ab2ff" if is_dark else "#1d63c4")
    slider = {"type": "range", "min": 0, "max": 0.5, "step": 0.05}
    return html.section(
        html.h3(f"Signal {samples[-1][1]:+.2f}" if samples else "No signal yet"),
        html.img(src=picture, alt=f"Line through the last {len(samples)} samples"),
        html.p(
            html.button(
                "Stop" if is_running else "Run", on_click=lambda: set_running(not is_running)
            ),
            html.label(" Noise ", html.input(slider, value=noise, on_change=set_noise)),
        ),
    )


plugin = Plugin(LiveChart, title="Live chart")
