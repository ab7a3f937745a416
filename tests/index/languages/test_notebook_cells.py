"""Cells of a notebook are read in the language of its kernel."""

import json
from typing import Final, NamedTuple

import pytest

from tests.support.indexed import meant, record_of, state_of


class Cells(NamedTuple):
    """A notebook, and what is found in it."""

    kernel: str
    named: str
    sources: list[str]
    symbols: list[tuple[str, str]]
    uses: list[str]
    meant: str
    """The first use that a symbol of the notebook is meant by; "" for none."""


NOTEBOOKS: Final = {
    "csharp": Cells(
        ".net-csharp",
        "C#",
        ["class Order { void Run() { Go(1); } }", "new Order();"],
        [("Order", "class"), ("Run", "method")],
        ["Go", "Order"],
        "Order",
    ),
    "julia": Cells(
        "julia-1.10", "julia", ["area(x) = x\narea(1)"], [("area", "function")], ["area"], "area"
    ),
    "kotlin": Cells(
        "kotlin",
        "kotlin",
        ["%use dataframe\nfun f(x: Int) = g(x)"],
        [("f", "function")],
        ["Int", "g"],
        "",
    ),
    "lua": Cells(
        "lua",
        "lua",
        ["function start(x) end", "start(1)"],
        [("start", "function")],
        ["start"],
        "start",
    ),
    "php": Cells(
        "jupyter-php",
        "PHP",
        ["class Order { function run($x) { go($x); } }", "$order = new Order();"],
        [("Order", "class"), ("run", "method"), ("order", "variable")],
        ["go", "Order"],
        "Order",
    ),
    "python": Cells(
        "python3", "python", ["%time\ndef f(): ...", "f()"], [("f", "function")], ["f"], "f"
    ),
    "r": Cells(
        "ir",
        "R",
        ["mean.of <- function(x) x", "mean.of(1)"],
        [("mean.of", "function")],
        ["mean.of"],
        "mean.of",
    ),
    "scala": Cells(
        "scala",
        "scala",
        ["%%time\ndef f(x: Int) = g(x)", "f(1)"],
        [("f", "function")],
        ["Int", "g", "x", "f"],
        "f",
    ),
}


@pytest.mark.parametrize("language", NOTEBOOKS)
def test_cells_are_read_in_the_language_of_the_kernel(language: str) -> None:
    cells = NOTEBOOKS[language]
    sources = [{"cell_type": "code", "metadata": {}, "source": text} for text in cells.sources]
    heading = {"cell_type": "markdown", "metadata": {}, "source": "# Survey"}
    notebook = {
        "cells": [heading, *sources],
        "metadata": {"kernelspec": {"name": cells.kernel, "language": cells.named}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    state = state_of({"a.ipynb": json.dumps(notebook)})
    record = record_of(state, "a.ipynb")
    assert (record.language, record.note) == (language, "")
    assert [(symbol.name, symbol.kind) for symbol in record.symbols] == cells.symbols
    assert [use.name for use in record.uses] == cells.uses
    assert record.outline is not None
    assert [heading.text for heading in record.outline.headings] == ["Survey"]
    if cells.meant:
        assert meant(state, "a.ipynb", cells.meant) == f"a.ipynb:{cells.meant}"
