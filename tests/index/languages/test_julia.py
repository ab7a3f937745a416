"""Julia: modules by the name that a file declares, `include`, functions in two forms."""

import pytest

from jupyter_ac.index.navigation.hover import doc_lines
from jupyter_ac.index.navigation.source_text import SourceText
from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from jupyter_ac.index.parsing import parse
from tests.support.indexed import imported, meant, record_of, state_of

SHAPES = "module Shapes\nexport area\narea(x) = x\nstruct Square end\nend\n"


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("using Shapes", "lib/Shapes/src/code.jl"),
        ("using ..Shapes: area", "lib/Shapes/src/code.jl"),
        ("import Shapes.area", "lib/Shapes/src/code.jl"),
        ("import Shapes as S", "lib/Shapes/src/code.jl"),
        ("using Other", "lib/Other.jl"),
        ('include("part.jl")', "bin/part.jl"),
        ('Base.include("../lib/Other.jl")', "lib/Other.jl"),
        ("using LinearAlgebra", None),
        ('include("gone.jl")', None),
    ],
)
def test_an_import_leads_to_the_module_or_to_the_file(line: str, file: str | None) -> None:
    files = {"lib/Shapes/src/code.jl": SHAPES, "lib/Other.jl": "", "bin/part.jl": ""}
    assert imported(state_of({"bin/main.jl": line + "\n", **files}), "bin/main.jl") == [file]


@pytest.mark.parametrize(
    ("text", "name", "means"),
    [
        ("using Shapes\narea(1)\n", "area", "area"),
        ("import Shapes\nShapes.area(1)\n", "area", "area"),
        ("import Shapes as S\nS.area(1)\n", "area", "area"),
        ("import Shapes.area\narea(1)\n", "area", "area"),
        ("using Shapes: area as f\nf(1)\n", "f", "area"),
        ("using Shapes: Square\nstruct Box <: Square end\n", "Square", "Square"),
    ],
)
def test_names_are_those_of_the_imported_module(text: str, name: str, means: str) -> None:
    state = state_of(
        {"a/main.jl": text, "b/code.jl": SHAPES, "c/other.jl": "area(x) = 1\nstruct Square end\n"}
    )
    assert meant(state, "a/main.jl", name) == f"b/code.jl:Shapes.{means}"


def test_included_files_and_the_including_one_share_their_names() -> None:
    files = {
        "src/P.jl": 'module P\ninclude("one.jl")\ninclude("deep/two.jl")\nstart(x) = go(x)\nend\n',
        "src/one.jl": "turn(x) = step_forward(x)\n",
        "src/deep/two.jl": "go(x) = turn(x)\nstep_forward(x) = x\n",
    }
    state = state_of(files)
    assert meant(state, "src/P.jl", "go") == "src/deep/two.jl:go"
    assert meant(state, "src/one.jl", "step_forward") == "src/deep/two.jl:step_forward"


def test_files_beside_are_known_but_not_those_of_other_tests() -> None:
    files = {
        "src/a.jl": "go(x) = check(x)\n",
        "src/b.jl": "check(x) = x\n",
        "test/b.jl": "check(x) = x\n",
        "test/c.jl": "y = check(1)\n",
    }
    state = state_of(files)
    assert meant(state, "src/a.jl", "check") == "src/b.jl:check"
    assert meant(state, "test/c.jl", "check") == ""


def test_operators_and_qualified_functions_have_their_own_names() -> None:
    text = "Base.show(io::IO, p) = 1\nBase.:+(a, b) = 1\n(==)(a, b) = 1\nP{T}(x) where {T} = 1\n"
    symbols = record_of(state_of({"a.jl": text}), "a.jl").symbols
    assert [symbol.name for symbol in symbols] == ["show", "+", "==", "P"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("function f(x) return x end\nprint(x)", [True, True, False]),
        ("f(x) = x\nx", [True, True, False]),
        ("f(y, x=1; z...) where {T} = x", [True, True]),
        ("function f() x = 1; g(x) end\nx = 3", [True, True, False]),
        ("map(x -> x + 1, x)", [True, True, False]),
        ("map(y) do x\n x end\nx", [True, True, False]),
        ("[x for x in y]", [True, True]),
        ("let x = 1; x end\nx", [True, True, False]),
        ("f(y) where {x} = x\nx", [True, True, False]),
        ("struct S\n x::Int\nend", [False]),
        ("for x in y, z in w\n x\nend\nx", [True, True, False]),
        ("for z in w, x in y\n x\nend\nx", [True, True, False]),
        ("for i in y\n x = i\nend\nx", [False, False]),
        ("f(y; x=1, z...) = x\nx", [True, True, False]),
        ("function f(y; x::Int=1) x end\nx", [True, True, False]),
    ],
)
def test_a_variable_is_local_in_its_function(text: str, places: list[bool]) -> None:
    found = occurrences_of("julia", text.encode(), ["x"])
    assert [each.is_local for each in found] == places


def test_the_variable_of_a_loop_is_another_one_than_that_around_it() -> None:
    text = "function f(x)\n s = 0\n for x in 1:2\n  s = s + x\n end\n s * x\nend\n"
    found = occurrences_of("julia", text.encode(), ["x", "s"])
    assert [(each.name, each.local[0]) for each in found] == [
        *[("x", 1), ("s", 2), ("x", 3), ("s", 2), ("s", 2), ("x", 3), ("s", 2), ("x", 1)],
    ]


@pytest.mark.parametrize("text", ["function f(p::P) p.x end", "f(p::P) = p.x"])
def test_a_parameter_has_the_type_that_is_written_behind_it(text: str) -> None:
    [found] = occurrences_of("julia", text.encode(), ["x"])
    assert (found.is_member, found.origin.types) == (True, ("P",))


@pytest.mark.parametrize("text", ['"""Area."""\nf(x) = 1', '"""\nArea.\n"""\nf(x) = 1'])
def test_the_string_above_a_definition_is_its_documentation(text: str) -> None:
    [symbol] = parse("julia", text.encode()).symbols
    assert [line for line in doc_lines("julia", SourceText(text), symbol) if line] == ["Area."]
