"""Namespaces of C#: what is declared where, whatever the paths."""

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from tests.index.navigation.trees import Tree
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


def test_members_of_a_class_that_an_import_opens_are_known_bare() -> None:
    files = {
        "x/Maths.cs": "namespace N { static class C : Low { public static int Twice() => 1; } }\n",
        "x/low.cs": "namespace N;\nclass Low { public static void Lower() { } }\n",
        "other.cs": "class Other { void Twice() { } void Lower() { } }\n",
        "a.cs": "using static N.C;\nclass A { void F() { Twice(); Lower(); } }\n",
    }
    tree = Tree(files)
    assert meant(tree.view, "a.cs", "Twice") == "x/Maths.cs:N.C.Twice"
    assert meant(tree.view, "a.cs", "Lower") == "x/low.cs:Low.Lower"
    assert tree.goal("a.cs", "{ |Twice") == "x/Maths.cs:Twice"
    assert tree.meant("a.cs", "{ |Twice") == "x/Maths.cs:1 likely"
    assert tree.named("x/Maths.cs", "|Twice") == ["a.cs:2:21-26"]


def test_an_opened_class_is_followed_when_it_comes_and_when_it_extends_something_else() -> None:
    state = state_of({"a.cs": "using static N.C;\nclass A { void F() { Lower(); } }\n"})
    put(state, "b.cs", "namespace N;\nclass C : Low { }\n")
    put(state, "c.cs", "namespace N;\nclass Low { void Lower() { } }\n")
    put(state, "d.cs", "namespace N;\nclass Deep { void Lower() { } }\n")
    state.update()
    assert meant(state, "a.cs", "Lower") == "c.cs:Low.Lower"
    put(state, "c.cs", "namespace N;\nclass Low : Deep { }\n")
    state.update()
    assert meant(state, "a.cs", "Lower") == "d.cs:Deep.Lower"
    put(state, "b.cs", "namespace N;\nclass Other : Low { }\n")
    put(state, "e.cs", "class Lonely { void Lower() { } }\n")
    state.update()
    assert meant(state, "a.cs", "Lower") == ""


def test_what_another_part_of_a_class_extends_is_followed() -> None:
    files = {
        "part.cs": "namespace N; partial class A { void F() { get(); } }\n",
        "use.cs": "namespace N; class User : A { void F() { base.get(); } }\n",
        "d.cs": "namespace N; class Deep { void get() { } }\n",
        "e.cs": "namespace N; class Other { void get() { } }\n",
    }
    state, users = state_of(files), [RepoPath("part.cs"), RepoPath("use.cs")]

    def after(path: str, text: str) -> list[list[str]]:
        """The files that the two use, once a file has another text."""
        put(state, path, f"namespace N; {text}\n")
        state.update()
        return [[*map(str, state.targets(user))] for user in users]

    assert after("low.cs", "class Low : Deep { }") == [[], ["part.cs"]]
    assert after("z.cs", "partial class A : Low { }") == [["d.cs"], ["d.cs", "part.cs"]]
    assert after("low.cs", "class Low : Other { }") == [["e.cs"], ["e.cs", "part.cs"]]
    assert after("z.cs", "partial class B : Low { }") == [[], ["part.cs"]]


def test_a_member_behind_a_pointer_is_a_use_of_it() -> None:
    text = "unsafe class A { int x; void M(A* p) { Run(p->x); Run((*p).x); } }\n"
    assert ("x", "p") in [use[:2] for use in record_of(state_of({"a.cs": text}), "a.cs").uses]


def test_a_name_behind_the_last_part_of_its_namespace_is_followed() -> None:
    text = "namespace Acme;\nclass C { void M() { new Shop.Order(); } }\n"
    assert meant(state_of(FILES | {"c.cs": text}), "c.cs", "Order") == "lib/two.cs:Order"
