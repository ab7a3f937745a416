"""Follows Python's log: setters may be called from any thread, a context holds the level."""

import logging
from itertools import count

from jupyter_ac import panels
from jupyter_ac.panels import Plugin, Tag, component, html, use_context, use_effect, use_state

COLOURS = {"WARNING": "var(--ac-warning, #8a5300)", "ERROR": "var(--ac-danger, #b3261e)"}
LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR"]
Level = panels.create_context("INFO")
VirtualList = Tag("VirtualList")


class Follower(logging.Handler):
    numbers = count()

    def __init__(self, take):
        super().__init__()
        self.take = take

    def emit(self, record):
        self.take((next(self.numbers), record.levelname, f"{record.name}: {record.getMessage()}"))


@component(memo=True)
def Line(level, text):
    return html.div(html.code(f"{level:8}{text}", style={"color": COLOURS.get(level, "inherit")}))


@component
def Lines(records):
    names = LEVELS[LEVELS.index(use_context(Level)) :]
    lines = [Line(level, text, key=number) for number, level, text in records if level in names]
    words = html.p(f"{len(lines)} of {len(records)} lines")
    return html.div(words, VirtualList(lines, label="Log"))


@component
def LogFollower(name="experiment"):
    records, set_records = use_state(())
    level, set_level = use_state("INFO")
    logger = logging.getLogger(name)

    def follow():
        handler = Follower(lambda record: set_records(lambda now: (record, *now)[:500]))
        logger.addHandler(handler)
        return lambda: logger.removeHandler(handler)

    use_effect(follow, [name])
    choice = html.select([html.option(each) for each in LEVELS], value=level, on_change=set_level)
    return html.section(
        html.label("From level ", choice, " "),
        html.button("Log a line", on_click=lambda: logger.warning("the lamp is %d °C hot", 81)),
        html.button("Clear", style={"marginLeft": 6}, on_click=lambda: set_records(())),
        Level.provide(level, Lines(records)),
    )


plugin = Plugin(LogFollower, title="Log")
