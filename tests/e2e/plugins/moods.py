"""Throws, floods and dies, when it is asked to."""

import asyncio
import os
import sys

from jupyter_ac.panels import Plugin, component, html, log, use_effect, use_state

FLOOD = 10_000


@component
def moods() -> object:
    count, set_count = use_state(0)
    is_flooding, set_flooding = use_state(False)

    def throw() -> None:
        raise ValueError("I am not in the mood")

    def die() -> None:
        sys.stderr.write("the last words\n")
        sys.stderr.flush()
        os._exit(3)

    async def flood() -> None:
        if not is_flooding:
            return
        for number in range(FLOOD):
            set_count(number + 1)
            log(f"flood {number + 1}")
            if number % 100 == 0:
                await asyncio.sleep(0.001)
        set_flooding(False)

    use_effect(flood, [is_flooding])
    return html.div(
        html.button({"on_click": throw}, "Throw"),
        html.button({"on_click": lambda: set_flooding(True)}, "Flood"),
        html.button({"on_click": die}, "Die"),
        html.button({"on_click": lambda: set_count(count + 1)}, "Count"),
        html.p({"id": "count"}, count),
    )


plugin = Plugin(moods, title="Moods")
