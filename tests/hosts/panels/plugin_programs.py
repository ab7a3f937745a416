"""Programs that are plugins, most of them bad ones, and the sources that start them."""

import sys
from pathlib import Path

from jupyter_ac.hosts.panels.panel_grants import no_grants
from jupyter_ac.hosts.panels.plugin_calls import Grants
from jupyter_ac.hosts.panels.plugin_command import PluginCommand
from jupyter_ac.hosts.panels.plugin_peer import PluginRights
from jupyter_ac.hosts.panels.process_source import ProcessSource
from jupyter_ac.rpc.context import Remote

COUNTER = """
from jupyter_ac.panels import Plugin, component, html, log, use_state

@component
def Counter(start: int = 0):
    count, set_count = use_state(start)
    def click():
        print("clicked")
        set_count(count + 1)
    return html.button({"on_click": click}, f"{count} clicks")

plugin = Plugin(Counter)
"""

PIPE = """
import json, os, sys, time

def write(method, *params, **more):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}))
    sys.stdout.write("\\n")
    sys.stdout.flush()

def answer(call, result=None):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}) + "\\n")
    sys.stdout.flush()

def text(words, node="a"):
    return {"id": node, "type": "p", "props": {}, "children": [
        {"id": "t", "type": "#text", "props": {}, "children": [], "text": words}]}

def calls():
    for line in sys.stdin:
        call = json.loads(line)
        if "method" in call:
            yield call

def started():
    call = next(calls())
    assert call["method"] == "initialize", call
    write("updateTree", text("ready"))
    answer(call)
"""
"""The beginning of a plugin that knows nothing of this package."""


def rights(grants: Grants | None = None) -> PluginRights:
    """Those of a plugin that is granted nothing, or what is given."""
    return PluginRights(Remote(), grants or no_grants())


def script(folder: Path, code: str, name: str = "plugin.py") -> ProcessSource:
    """A source that runs a Python script, with the functions of `PIPE`."""
    path = folder / name
    path.write_text(PIPE + code)
    return source(path.stem, sys.executable, str(path))


def panel_file(folder: Path, code: str = COUNTER, name: str = "counter.py") -> ProcessSource:
    """A source that runs a file with a panel, as the command line does."""
    path = folder / name
    path.write_text(code)
    return source(path.stem, sys.executable, "-P", "-m", "jupyter_ac", "panel", str(path))


def source(name: str, *argv: str) -> ProcessSource:
    """A source that runs a command."""
    return ProcessSource(name, name, "command", PluginCommand(name, argv), rights(), 60.0)
