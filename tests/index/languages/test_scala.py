"""Scala: packages that files declare, companions, selectors of imports, names that are local."""

import pytest

from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from tests.support.indexed import imported, meant, record_of, state_of

ITEM = """package com.acme
package shop
import com.acme.core.Base
class Item(val id: Int) extends Base {
  def show = { draw(); save(); helper(); outer() }
  def draw() = 1
}
object Item { def make() = new Item(1); def again() = Item.make() }
"""
BASE = "package com.acme.core\nclass Base { def save() = 1 }\n"
HELPER = "package com.acme.shop\nobject Tools\npackage object more { def deep() = 1 }\n"
TOP = "package com.acme.shop\ndef helper() = 1\n"
OUTER = "package com.acme\ndef outer() = 1\n"
FILES = {
    "src/a/Item.scala": ITEM,
    "core/Base.scala": BASE,
    "x/more.scala": HELPER,
    "x/top.sc": TOP,
    "x/outer.scala": OUTER,
}


def test_packages_that_are_declared_below_each_other_add_up() -> None:
    state = state_of(FILES)
    row = ("package", "com.acme", "com.acme.shop")
    assert record_of(state, "src/a/Item.scala").manifest == (row,)
    assert meant(state, "src/a/Item.scala", "helper") == "x/top.sc:helper"
    assert meant(state, "src/a/Item.scala", "outer") == "x/outer.scala:outer"


def test_a_class_and_its_companion_are_one() -> None:
    state = state_of(FILES)
    assert meant(state, "src/a/Item.scala", "draw") == "src/a/Item.scala:Item.draw"
    assert meant(state, "src/a/Item.scala", "save") == "core/Base.scala:Base.save"
    assert meant(state, "src/a/Item.scala", "make") == "src/a/Item.scala:Item.make"


@pytest.mark.parametrize(
    ("line", "use", "target"),
    [
        ("import com.acme.shop.Item", "Item", "src/a/Item.scala:Item"),
        ("import com.acme.shop.{Item, Tools}", "Item", "src/a/Item.scala:Item"),
        ("import com.acme.shop.{Item => Thing}", "Thing", "src/a/Item.scala:Item"),
        ("import com.acme.shop.{Item as Thing, *}", "Thing", "src/a/Item.scala:Item"),
        ("import com.acme.shop.{Item as Thing, *}", "Tools", "x/more.scala:Tools"),
        ("import com.acme.core._", "Base", "core/Base.scala:Base"),
        ("import com.acme.core.*", "Base", "core/Base.scala:Base"),
        ("import com.acme.core.{Base => _}", "Base", ""),
        ("import com.acme.shop.Item.make", "make", "src/a/Item.scala:Item.make"),
        ("import com.acme.shop.more.deep", "deep", "x/more.scala:deep"),
        ("import com.acme.shop.more._", "deep", "x/more.scala:deep"),
    ],
)
def test_imports_make_names_known(line: str, use: str, target: str) -> None:
    other = {"other/Base.scala": "package other\nclass Base\nclass Item\nclass Tools\n"}
    text = f"package web\n{line}\nobject Main {{ {use}(1) }}\n"
    assert (
        meant(state_of(FILES | other | {"web/Main.scala": text}), "web/Main.scala", use) == target
    )


def test_an_import_leads_to_the_file_that_is_named_after_the_class() -> None:
    text = "import com.acme.shop.Item.make\nimport com.acme.core.Base\nimport java.util.List\n"
    state = state_of(FILES | {"web/Main.scala": text})
    assert imported(state, "web/Main.scala") == ["src/a/Item.scala", "core/Base.scala", None]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("class A { def f(x: Int) = x\n def g = x }", [True, True, False]),
        ("def f = { val x = 1; x }\ndef g = x", [True, True, False]),
        ("def f =\n  val x = 1\n  x\ndef g = x", [True, True, False]),
        ("class A { val x = 1; def f = x }", [False, False]),
        ("class A(x: Int) { def f = x }", [False, False]),
        ("def f = { val (x, y) = p; x }", [True, True]),
        ("def f = xs.map(x => x)", [True, True]),
        ("def f = xs.map((x: Int) => x)", [True, True]),
        ("def f = for { x <- x } yield x", [True, True, True]),
        ("def f = m match { case Item(x, _) => x }", [True, True]),
        ("def f = m match { case x: Item => x; case _ => x }", [True, True, False]),
        ("def f = a.x", [False]),
    ],
)
def test_a_variable_is_local_in_its_block(text: str, places: list[bool]) -> None:
    found = occurrences_of("scala", text.encode(), ["x"])
    assert [each.is_local for each in found] == places


@pytest.mark.parametrize(
    "text", ["def f(a: Item) = a.x", "def f = { val a: Item = g(); a.x; }", "def f = new Item().x"]
)
def test_a_member_is_taken_off_the_type_that_is_declared(text: str) -> None:
    (found,) = occurrences_of("scala", text.encode(), ["x"])
    assert found.is_member
    assert found.origin.types == ("Item",)


@pytest.mark.parametrize(
    "line", ["import p.Obj._", "import p.Obj.*", "import p.Obj.{Inner, low, twice}"]
)
def test_members_of_an_object_are_imported_what_it_inherits_among_them(line: str) -> None:
    text = "package p\nobject Obj extends Low { def twice(x: Int) = x; class Inner }\n"
    files = {
        "lib/o.scala": text + "trait Low { def low() = 1 }\n",
        "x.scala": "object X { def twice() = 1; def low() = 2; class Inner }\n",
        "a.scala": f"package q\n{line}\nclass A {{ def f() = {{ twice(1); low(); new Inner }} }}\n",
    }
    state = state_of(files)
    assert meant(state, "a.scala", "twice") == "lib/o.scala:Obj.twice"
    assert meant(state, "a.scala", "low") == "lib/o.scala:Low.low"
    assert meant(state, "a.scala", "Inner") == "lib/o.scala:Obj.Inner"


def test_classes_of_java_are_known_by_their_package() -> None:
    files = {
        "src/p/C.java": "package p; public class C { void twice() { } }\n",
        "far/C.java": "package far; public class C { void twice() { } }\n",
        "a.scala": "package q\nimport p.C\nclass D extends C { def f() = twice() }\n",
    }
    state = state_of(files)
    assert imported(state, "a.scala") == ["src/p/C.java"]
    assert meant(state, "a.scala", "C") == "src/p/C.java:C"
    assert meant(state, "a.scala", "twice") == "src/p/C.java:C.twice"


def test_each_import_of_a_line_counts() -> None:
    line = "import a.b.*, c.d.e, x, y.{P, Q as R, *}, m.{n => o}\n"
    found = [row[:2] for row in record_of(state_of({"a.scala": line}), "a.scala").imports]
    assert found == [
        ("a.b", (("*", "*"),)),
        ("c.d.e", ()),
        ("x", ()),
        ("y", (("P", "P"), ("Q", "R"), ("*", "*"))),
        ("m", (("n", "o"),)),
    ]


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        ("package a {\n class A\n}\npackage b {\n package c { }\n}\n", ["a", "b", "b.c"]),
        ("package a\npackage object b { }\npackage object c { }\n", ["a", "a.b", "a.c"]),
        ("package a.b\npackage c\nclass A\n", ["a.b", "a.b.c"]),
    ],
)
def test_packages_in_braces_end_with_them(text: str, packages: list[str]) -> None:
    manifest = record_of(state_of({"a.scala": text}), "a.scala").manifest
    assert manifest == (("package", *packages),)


@pytest.mark.parametrize(
    ("head", "target"),
    [
        ("package a.b\nimport c.D", "in.scala:D"),
        ("package a.b\nimport c._", "in.scala:D"),
        ("package a\npackage b\nimport e.F", "around.scala:F"),
        ("package a\npackage b\nimport c.D", "in.scala:D"),
        ("package x\nimport c.D", "far.scala:D"),
    ],
)
def test_an_import_may_begin_at_a_package_of_its_file(head: str, target: str) -> None:
    files = {
        "in.scala": "package a.b.c\nclass D\n",
        "around.scala": "package a.e\nclass F\n",
        "far.scala": "package c\nclass D\n",
        "near.scala": "package e\nclass F\n",
    }
    name = target[-1]
    state = state_of(files | {"user.scala": f"{head}\nclass User extends {name}\n"})
    assert meant(state, "user.scala", name) == target
    if "_" not in head:
        assert imported(state, "user.scala") == [target.partition(":")[0]]


def test_arguments_are_uses_also_of_operators_that_are_words() -> None:
    text = "object A { f(x, k = y); xs map z; i + j }\n"
    uses = record_of(state_of({"a.scala": text}), "a.scala").uses
    assert [use.name for use in uses] == ["f", "x", "y", "map", "z"]
