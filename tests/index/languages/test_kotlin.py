"""Kotlin: packages that files declare, members of companions, names that are local."""

import pytest

from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from tests.index.navigation.trees import Tree
from tests.support.indexed import imported, meant, record_of, state_of

ITEM = """package com.acme.shop
import com.acme.core.Base
class Item(val id: Int) : Base() {
    fun show() { draw(); save(); helper() }
    fun draw() = 1
    companion object { fun make() = Item(1) }
}
"""
BASE = "package com.acme.core\nopen class Base {\n    fun save() = 1\n}\n"
HELPER = "package com.acme.shop\nfun helper() = 1\nfun String.shout() = 1\n"
FILES = {"src/a/Item.kt": ITEM, "core/Base.kt": BASE, "elsewhere/util.kt": HELPER}
MAIN = """package com.acme.web
import com.acme.shop.Item
import com.acme.shop.helper as aid
import com.acme.shop.shout
import com.acme.core.*
import kotlin.math.max
fun main() { Item.make(); aid(); Base() }
"""


def test_imports_lead_to_the_files_of_the_packages() -> None:
    state = state_of(FILES | {"web/main.kt": MAIN})
    # Functions are in no file of their name, so their import is followed by name only.
    assert imported(state, "web/main.kt") == [
        *("src/a/Item.kt", None, None, "core/Base.kt", None),
    ]
    assert meant(state, "web/main.kt", "make") == "src/a/Item.kt:Item.make"
    assert meant(state, "web/main.kt", "aid") == "elsewhere/util.kt:helper"
    assert meant(state, "web/main.kt", "Base") == "core/Base.kt:Base"


def test_names_of_the_own_class_its_bases_and_its_package_need_no_import() -> None:
    state = state_of(FILES)
    assert meant(state, "src/a/Item.kt", "draw") == "src/a/Item.kt:Item.draw"
    assert meant(state, "src/a/Item.kt", "save") == "core/Base.kt:Base.save"
    assert meant(state, "src/a/Item.kt", "helper") == "elsewhere/util.kt:helper"


def test_a_package_around_is_not_known() -> None:
    files = {"a.kt": "package com\nfun run() = 1\n", "b.kt": "package com.acme\nval x = run()\n"}
    assert meant(state_of(files), "b.kt", "run") == ""


def test_what_is_imported_out_of_a_companion_is_in_the_file_of_its_class() -> None:
    text = "import com.acme.shop.Item.Companion.make\nval x = make()\n"
    state = state_of(FILES | {"web/main.kt": text})
    assert imported(state, "web/main.kt") == ["src/a/Item.kt"]
    assert meant(state, "web/main.kt", "make") == "src/a/Item.kt:Item.make"


def test_an_extension_function_is_at_top_level() -> None:
    symbols = record_of(state_of(FILES), "elsewhere/util.kt").symbols
    assert [(symbol.name, symbol.kind, symbol.parent) for symbol in symbols] == [
        ("helper", "function", -1),
        ("shout", "function", -1),
    ]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("fun f(x: Int) { x + 1 }\nval y = x", [True, True, False]),
        ("fun f() { val x = 1; x }\nfun g() = x", [True, True, False]),
        ("val x = 1\nfun f() = x", [False, False]),
        ("class A { val x = 1\n fun f() = x }", [False, False]),
        ("class A(val x: Int) { fun f() = x }", [False, False]),
        ("class A(x: Int) { init { f(x) } }", [True, True]),
        ("fun f() { for (x in xs) { x } }", [True, True]),
        ("fun f() { val (x, y) = p; x }", [True, True]),
        ("fun f() { xs.map { x -> x }; x }", [True, True, False]),
        ("fun f() { try { } catch (x: E) { x } }", [True, True]),
        ("fun f() { when (val x = 1) { 1 -> x } }", [True, True]),
        ("fun f() { a.x; g(x = 1) }", [False, False]),
    ],
)
def test_a_variable_is_local_in_its_block(text: str, places: list[bool]) -> None:
    found = occurrences_of("kotlin", text.encode(), ["x"])
    assert [each.is_local for each in found] == places


def test_the_value_of_a_declaration_is_an_earlier_name() -> None:
    found = occurrences_of("kotlin", b"fun f(x: Int) { val x = x; x }", ["x"])
    assert [each.local for each in found] == [(1, 6), (1, 20), (1, 6), (1, 20)]


@pytest.mark.parametrize(
    "text",
    [
        "fun f(a: Item) { a.x }",
        "fun f() { val a: Item = g(); a.x }",
        "fun f() { val a = Item(); a.x }",
    ],
)
def test_a_local_name_has_the_type_that_it_is_declared_with(text: str) -> None:
    (found,) = occurrences_of("kotlin", text.encode(), ["x"])
    assert found.is_member
    assert "Item" in (*found.origin.types, found.origin.root)


OPENED = """package p
object Obj {
    fun twice(x: Int) = x
}
enum class Color { RED, GREEN }
class C {
    companion object {
        fun make() = C()
    }
}
"""


@pytest.mark.parametrize(
    "lines",
    [
        ["p.Obj.*", "p.Color.*", "p.C.Companion.*"],
        ["p.Obj.twice", "p.Color.RED", "p.C.Companion.make"],
    ],
)
def test_members_of_objects_enumerations_and_companions_are_imported(lines: list[str]) -> None:
    imports = "".join(f"import {line}\n" for line in lines)
    files = {
        "lib/opened.kt": OPENED,
        "lib/Other.kt": OPENED.replace("package p", "package other"),
        "a.kt": f"package q\n{imports}fun f() {{\n twice(1)\n use(RED)\n make()\n}}\n",
    }
    tree = Tree(files)
    assert meant(tree.view, "a.kt", "twice") == "lib/opened.kt:Obj.twice"
    assert meant(tree.view, "a.kt", "RED") == "lib/opened.kt:Color.RED"
    assert meant(tree.view, "a.kt", "make") == "lib/opened.kt:C.make"
    assert tree.meant("a.kt", " |make()") == "lib/opened.kt:8 likely"


def test_a_member_is_taken_out_of_the_class_that_is_named() -> None:
    text = "package p\nobject A {\n fun run() = 1\n}\nobject B {\n fun run() = 1\n}\n"
    state = state_of({"p.kt": text, "a.kt": "import p.B.run as go\nfun f() = go()\n"})
    assert meant(state, "a.kt", "go") == "p.kt:B.run"


@pytest.mark.parametrize("head", ["package q\nimport p.C", "package q\nimport p.*", "package p"])
def test_classes_of_java_are_known_by_their_package(head: str) -> None:
    files = {
        "src/main/java/p/C.java": "package p; public class C { void twice() { } }\n",
        "far/C.java": "package far; public class C { void twice() { } }\n",
        "a.kt": f"{head}\nclass D : C() {{\n fun f() {{\n  twice()\n }}\n}}\n",
    }
    state = state_of(files)
    assert meant(state, "a.kt", "C") == "src/main/java/p/C.java:C"
    assert meant(state, "a.kt", "twice") == "src/main/java/p/C.java:C.twice"
    if "p.C" in head:
        assert imported(state, "a.kt") == ["src/main/java/p/C.java"]
