"""Namespaces of C#: what is declared where, whatever the paths."""

import json

import pytest

from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from jupyter_ac.index.parsing import parse
from tests.support.indexed import imported, meant, put, record_of, state_of

ORDER = """namespace Acme.Shop
{
    public partial class Order : Base, IPriced { public void Run() { Total(); } }
    public interface IPriced { int Price(); }
    namespace Inner { public class Deep { } }
}
"""
PART = "namespace Acme.Shop;\npartial class Order { int Total() => 1; }\n"
BASE = "namespace Acme;\npublic class Base { protected void Log() { } }\n"
TOOLS = "namespace Acme.Tools;\nstatic class Maths { public static int Twice(int x) => x; }\n"
FILES = {
    "src/z/one.cs": ORDER,
    "lib/two.cs": PART,
    "core/Base.cs": BASE,
    "x/Maths.cs": TOOLS,
    "web/Other.cs": "namespace Web;\npublic class Order { }\n",
}
MAIN = """using System;
using Acme.Shop;
using Tool = Acme.Tools.Maths;
namespace Web.Pages;
class Page { Deep d; void M(Order o, IPriced p) { Tool.Twice(2); new Page(); Maths.Twice(1); } }
"""


def test_a_namespace_is_known_without_an_import_in_it_and_below_it() -> None:
    state = state_of(FILES)
    assert meant(state, "src/z/one.cs", "Base") == "core/Base.cs:Base"
    assert meant(state, "src/z/one.cs", "Total") == "lib/two.cs:Order.Total"


def test_opened_namespaces_and_aliases_lead_to_what_is_declared_in_them() -> None:
    state = state_of(FILES | {"app/Page.cs": MAIN})
    assert meant(state, "app/Page.cs", "IPriced") == "src/z/one.cs:Acme.Shop.IPriced"
    assert meant(state, "app/Page.cs", "Twice") == "x/Maths.cs:Maths.Twice"
    assert imported(state, "app/Page.cs") == [None, None, "x/Maths.cs"]
    # What is nearer has precedence: the namespace around the file's own before one that is opened.
    assert meant(state, "app/Page.cs", "Order") == "web/Other.cs:Order"


def test_a_file_that_moves_to_another_namespace_is_followed() -> None:
    state = state_of(FILES | {"app/Page.cs": MAIN})
    put(state, "web/Other.cs", "namespace Elsewhere;\npublic class Order { }\n")
    state.update()
    assert meant(state, "app/Page.cs", "Order") == "lib/two.cs:Order"
    put(state, "lib/two.cs", "namespace Gone;\n")
    put(state, "src/z/one.cs", "namespace Acme.Nowhere { public interface IPriced { } }\n")
    state.update()
    assert meant(state, "app/Page.cs", "Order") == ""


def test_nested_namespaces_have_the_names_of_those_around() -> None:
    state = state_of({"a.cs": ORDER, "b.cs": "using Acme.Shop.Inner;\nclass B { Deep d; }\n"})
    assert record_of(state, "a.cs").manifest == (("package", "Acme.Shop", "Acme.Shop.Inner"),)
    assert meant(state, "b.cs", "Deep") == "a.cs:Acme.Shop.Inner.Deep"


def test_an_alias_of_a_generic_type_is_that_type() -> None:
    files = {
        "box.cs": "namespace Acme;\npublic class Box<T> { public static void Pack() { } }\n",
        "a.cs": "using Ints = Acme.Box<int>;\nclass C { void M() { Ints.Pack(); } }\n",
    }
    state = state_of(files)
    assert imported(state, "a.cs") == ["box.cs"]
    assert meant(state, "a.cs", "Pack") == "box.cs:Box.Pack"


def test_members_of_a_generic_base_are_known_bare_and_by_base() -> None:
    text = "namespace Acme;\nclass Base<T> { void Log() { } void Open() { } }\n"
    part = "namespace Acme;\nclass Page : Base<int> { void M() { base.Log(); Open(); } }\n"
    state = state_of({"b.cs": text, "p.cs": part, "o.cs": "class O { void Log() { } }\n"})
    assert meant(state, "p.cs", "Log") == "b.cs:Base.Log"
    assert meant(state, "p.cs", "Open") == "b.cs:Base.Open"


def test_an_extension_method_is_the_only_one_of_its_name() -> None:
    files = {
        "ext.cs": "namespace X;\nstatic class Ext { static int DoubledUp(this int x) => x * 2; }\n",
        "a.cs": "using X;\nclass C { int M(int n) => n.DoubledUp(); }\n",
    }
    assert meant(state_of(files), "a.cs", "DoubledUp") == "ext.cs:Ext.DoubledUp"


def test_names_of_namespaces_in_declarations_and_imports_are_no_uses() -> None:
    text = "using Acme.Shop;\nusing static Acme.Tools.Maths;\nnamespace Web.Pages;\n"
    assert record_of(state_of({"a.cs": text}), "a.cs").uses == ()


def test_a_parameter_of_a_record_is_a_member_of_it() -> None:
    text = "record Person(string Name) { void M() { Print(Name); } }\n"
    assert meant(state_of({"a.cs": text}), "a.cs", "Name") == "a.cs:Person.Name"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("class C { void M(int x) { x++; } int x; }", [True, True, False]),
        ("class C { void M(params int[] x) { x = y; } }", [True, True]),
        ("class C { void M() { foreach (var x in y) { x(); } x(); } }", [True, True, False]),
        ("class C { void M() { F(x => x); x(); } }", [True, True, False]),
        ("class C { void M() { if (a is B x) { x(); } x(); } }", [True, True, False]),
        ("class C { void M() { var (x, y) = z; x(); } }", [True, True]),
        ("class C { void M() { try { } catch (E x) { x(); } x(); } }", [True, True, False]),
        ("class C { void M() { F(out var x); x(); } }", [True, True]),
        ("class C { void M() { y = from x in z select x; x(); } }", [True, True, False]),
        ("class C { int this[int x] { get => x; } }", [True, True]),
        ("class C { x M<x>(x a) { new B<x>(); } }", [True, True, True, True]),
    ],
)
def test_which_names_are_local(text: str, places: list[bool]) -> None:
    found = occurrences_of("csharp", text.encode(), ["x"])
    assert [each.is_local for each in found] == places


@pytest.mark.parametrize(
    "data",
    [
        b"class A { " * 5000,
        b"x = " + b"new A { B = " * 5000,
        b'var s = $"' + b'{$"' * 3000,
        b'class A { string s = @"' + b"a" * 100_000,
        b"List<" * 5000,
        b"namespace A." + b"B." * 20_000 + b"C;",
        b"class A\0 { int \xff; }",
        b"#if A\n" * 2000,
    ],
    ids=lambda data: repr(data[:14]),
)
def test_hostile_sources_give_a_record(data: bytes) -> None:
    record = parse("csharp", data)
    assert record.language == "csharp"


def test_a_cell_is_read_in_the_language_of_the_kernel() -> None:
    cell = {"cell_type": "code", "source": "class Order { void Run() { Go(1); } }", "metadata": {}}
    notebook = {
        "cells": [cell],
        "metadata": {"kernelspec": {"name": ".net-csharp", "language": "C#"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    record = parse("notebook", json.dumps(notebook).encode())
    assert [symbol.name for symbol in record.symbols] == ["Order", "Run"]
    assert [use.name for use in record.uses] == ["Go"]


def test_a_member_behind_a_pointer_is_a_use_of_it() -> None:
    text = "unsafe class A { int x; void M(A* p) { Run(p->x); Run((*p).x); } }\n"
    assert ("x", "p") in [use[:2] for use in record_of(state_of({"a.cs": text}), "a.cs").uses]


def test_a_name_behind_the_last_part_of_its_namespace_is_followed() -> None:
    text = "namespace Acme;\nclass C { void M() { new Shop.Order(); } }\n"
    assert meant(state_of(FILES | {"c.cs": text}), "c.cs", "Order") == "lib/two.cs:Order"
