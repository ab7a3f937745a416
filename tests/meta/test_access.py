"""The wire's surface: every name, who may use it, and that it is described.

`wire_surface.json` is written by `make docs` and committed, so that whoever reviews a change sees
what it puts on the wire, takes from it, or lets others do.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from jupyter_ac.rpc.methods import Access, Method
from tools.api.surface import host_table

SURFACE: dict[str, dict[str, object]] = json.loads(
    Path(__file__).with_name("wire_surface.json").read_text(encoding="utf-8")
)
TABLE: Mapping[str, Method] = host_table()

each_method = pytest.mark.parametrize("method", TABLE.values(), ids=TABLE.keys())


def test_the_list_has_exactly_the_names_on_the_wire() -> None:
    assert set(SURFACE) == set(TABLE)


@each_method
def test_a_method_is_listed_with_its_access(method: Method) -> None:
    assert isinstance(method.access, Access)
    assert SURFACE[method.name]["access"] == method.access.value


@each_method
def test_a_method_is_listed_with_its_parameters(method: Method) -> None:
    listed = SURFACE[method.name]["parameters"]
    assert isinstance(listed, list)
    names = [str(text).partition(":")[0].rstrip("?").removeprefix("...") for text in listed]
    assert names == [name.removeprefix("_") for name in method.signature.parameters]


@each_method
def test_a_method_says_what_it_does(method: Method) -> None:
    first = method.doc.partition("\n")[0]
    assert len(first) > 10
    assert first.endswith(".")


@each_method
def test_a_method_that_only_reads_is_named_like_one(method: Method) -> None:
    function = method.name.partition(".")[2]
    verbs = ("get_", "is_", "file_", "list_", "search", "attach_", "resolve_", "lsp_get_")
    reads = function.removeprefix("history_").startswith(verbs)
    assert (method.access is Access.READ) == reads
