"""Scala: packages that files declare, companions, selectors of imports, names that are local."""

import json

import pytest

from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from jupyter_ac.index.parsing import parse
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
    "text",
    [
        "object A { " * 3_000,
        "val x = " + "(" * 5_000,
        'val x = s"never ends ${ a',
        'val x = """never\n ends',
        "class " + "a" * 1_000_000,
        "val x = \0\0 def f = 1\0",
        "/* " * 5_000,
        "a[" * 5_000,
        "".join(f"{' ' * depth}if a then\n" for depth in range(800)),
    ],
)
def test_hostile_sources_are_read(text: str) -> None:
    assert parse("scala", text.encode()).language == "scala"


def test_invalid_utf_8_is_read_as_far_as_possible() -> None:
    record = parse("scala", b'val x = "\xff\xfe"\ndef f = 1\n')
    assert [symbol.name for symbol in record.symbols] == ["x", "f"]


def test_cells_of_a_notebook_with_its_kernel_are_read() -> None:
    cell = {"cell_type": "code", "source": "%%time\ndef f(x: Int) = g(x)", "metadata": {}}
    notebook = {
        "cells": [cell],
        "metadata": {"kernelspec": {"name": "scala", "language": "scala"}},
        "nbformat": 4,
    }
    record = parse("notebook", json.dumps(notebook).encode())
    assert record.language == "scala"
    assert [symbol.name for symbol in record.symbols] == ["f"]
