"""The wire's surface: every name, who may use it, what goes in and out, that it is described.

`wire_surface.json` is written by `make docs` and committed, so that whoever reviews a change sees
what it puts on the wire, takes from it, or lets others do.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from jupyter_ac.rpc.methods import Access, Method
from tools.api.surface import host_table

LISTED = json.loads(Path(__file__).with_name("wire_surface.json").read_text(encoding="utf-8"))
ALIASES: dict[str, str] = LISTED["aliases"]
SURFACE: dict[str, dict[str, object]] = LISTED["methods"]
TABLE: Mapping[str, Method] = host_table()
SHORTEST_SENTENCE = 10


def test_the_list_has_exactly_the_names_on_the_wire() -> None:
    assert {*SURFACE, *ALIASES} == set(TABLE), "run: make docs"
    assert {TABLE[alias].handler for alias in ALIASES} <= {TABLE[name].handler for name in SURFACE}


def test_a_method_is_listed_with_its_access() -> None:
    assert all(isinstance(method.access, Access) for method in TABLE.values())
    listed = {name: SURFACE[ALIASES.get(name, name)]["access"] for name in TABLE}
    assert listed == {name: method.access.value for name, method in TABLE.items()}


def test_a_method_is_listed_with_its_parameters() -> None:
    assert {name: _listed_parameters(name) for name in TABLE} == {
        name: [parameter.removeprefix("_") for parameter in method.signature.parameters]
        for name, method in TABLE.items()
    }


def _listed_parameters(name: str) -> list[str]:
    listed = SURFACE[ALIASES.get(name, name)]["parameters"]
    assert isinstance(listed, list)
    return [str(text).partition(":")[0].rstrip("?").removeprefix("...") for text in listed]


def test_a_method_says_what_it_does() -> None:
    firsts = {name: method.doc.partition("\n")[0] for name, method in TABLE.items()}
    wrong = {
        name: first
        for name, first in firsts.items()
        if len(first) <= SHORTEST_SENTENCE or not first.endswith(".")
    }
    assert wrong == {}


READING = (
    "get_",
    "is_",
    "file_",
    "list_",
    "search",
    "attach_",
    "resolve_",
    "lsp_get_",
    "detect_urls",
    "discover",  # OpenRPC's name for it
)

# Methods on browsers have the names of seed 003, and those that belong to them.
BROWSER_READING = frozenset(
    [
        *("network", "request", "console", "pages", "page", "status", "history", "targets"),
        *("filters_status", "filters.status", "wait_for", "screenshot"),
    ]
)

KERNEL_READING = frozenset({"describe_variable"})
"""The kernel's own names of methods that only read."""

PLANNER_READING = frozenset({"validate_code"})
"""Seed 004's names of methods that only read."""

PANEL_READING = frozenset({"list", "syncTree"})
"""Seed 002's names, and what belongs to them."""


def test_a_method_that_only_reads_is_named_like_one() -> None:
    wrong = {
        name: f"has {method.access} access; with read access it begins with one of {READING}, "
        "perhaps after history_; with another one with none of them"
        for name, method in TABLE.items()
        if (method.access is Access.READ) is not _reads_by_name(name)
    }
    assert wrong == {}


def _reads_by_name(name: str) -> bool:
    if name.removeprefix("Browser.") in BROWSER_READING:
        return True
    if name.removeprefix("Planner.") in PLANNER_READING:
        return True
    if name.removeprefix("Panels.") in PANEL_READING:
        return True
    if name.removeprefix("Kernel.") in KERNEL_READING:
        return True
    function = name.rpartition(".")[2]
    return function.removeprefix("history_").startswith(READING)
