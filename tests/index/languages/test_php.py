"""PHP: namespaces wherever they are declared, required files, and members of classes."""

import json

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.languages.registry import described, language_of_cells
from jupyter_ac.index.navigation.completion import completions
from jupyter_ac.index.navigation.source_text import SourceText, TextPosition
from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from jupyter_ac.index.parsing import parse
from tests.index.languages.test_syntax import named, node_types
from tests.index.navigation.trees import Tree
from tests.support.indexed import imported, meant, put, record_of, state_of

STORE = """<?php
namespace Acme\\Shop;
interface Priced { function price(): int; }
class Store extends Base { public Item $first; function find(): Item {} static function a(): self; }
class Item implements Priced { const MAX = 3; private static $count; function price(): int {} }
function total() {}
"""
BASE = """<?php
namespace Acme\\Shop;
class Base { use \\Acme\\Log\\Logs; function close(): static {} }
"""
LOGS = """<?php
namespace Acme\\Log;
trait Logs { protected function note() {} }
function trace() {}
"""
GLOBAL = "<?php\nclass Legacy {}\nfunction helper() {}\nconst LIMIT = 1;\n"
FILES = {
    "src/z/store.php": STORE,
    "lib/base.php": BASE,
    "x/logs.php": LOGS,
    "old/functions.php": GLOBAL,
}


def meaning_in(code: str, name: str, head: str = "namespace App;") -> str:
    """What a name means in code of another namespace."""
    state = state_of(FILES | {"app/main.php": f"<?php\n{head}\n{code}\n"})
    return meant(state, "app/main.php", name)


@pytest.mark.parametrize(
    ("code", "name", "goal"),
    [
        ("use Acme\\Shop\\Store; new Store();", "Store", "src/z/store.php:Store"),
        ("use \\Acme\\Shop\\Store; new Store();", "Store", "src/z/store.php:Store"),
        ("use Acme\\Shop\\Store as S; S::a();", "a", "src/z/store.php:Store.a"),
        ("use function Acme\\Shop\\total; total();", "total", "src/z/store.php:total"),
        ("use Acme\\Shop\\{Item, Store as S}; new S();", "S", "src/z/store.php:Store"),
        ("use Acme\\{Log\\Logs, Shop\\Item as I}; new I();", "I", "src/z/store.php:Item"),
        ("use Acme\\{Log\\Logs}; class A { use Logs; }", "Logs", "x/logs.php:Logs"),
        ("use Acme\\{function Log\\trace as t}; t();", "t", "x/logs.php:trace"),
        ("use Acme\\Shop; new Shop\\Item();", "Item", "src/z/store.php:Item"),
        ("use Acme\\Shop as S; S\\total();", "total", "src/z/store.php:total"),
        ("new \\Acme\\Shop\\Item();", "Item", "src/z/store.php:Item"),
        ("class Item extends \\Acme\\Shop\\Item {}", "Item", "src/z/store.php:Item"),
        ("echo \\Acme\\Shop\\Item::MAX;", "MAX", "src/z/store.php:Item.MAX"),
        ("echo \\Acme\\Shop\\Item::$count;", "count", "src/z/store.php:Item.count"),
        ("new Store();", "Store", ""),
    ],
)
def test_names_of_other_namespaces(code: str, name: str, goal: str) -> None:
    assert meaning_in(code, name) == goal


def test_names_in_declarations_and_imports_of_namespaces_are_no_uses() -> None:
    text = "<?php namespace A\\B; use C\\D; use E\\{F as G, function h}; use I;\n"
    assert record_of(state_of({"a.php": text}), "a.php").uses == ()


def test_a_namespace_inside_of_the_files_own_needs_no_import() -> None:
    assert meaning_in("new Shop\\Item();", "Item", "namespace Acme;") == "src/z/store.php:Item"
    other = {"y/item.php": "<?php namespace Web\\Shop; class Item {}\n"}
    state = state_of(FILES | other | {"a.php": "<?php namespace Web; new Shop\\Item();"})
    assert meant(state, "a.php", "Item") == "y/item.php:Item"
    # Without an own one, two that end alike leave it open.
    put(state, "a.php", "<?php namespace Else; new \\Any\\Shop\\Item();")
    state.update()
    assert meant(state, "a.php", "Item") == ""


@pytest.mark.parametrize("name", ["helper", "LIMIT", "Legacy"])
def test_what_a_namespace_lacks_is_looked_for_in_the_global_one(name: str) -> None:
    code = "helper(); f(LIMIT); new \\Legacy;"
    assert meaning_in(code, name) == f"old/functions.php:{name}"
    assert meaning_in(code, name, "") == f"old/functions.php:{name}"
    own = f"{code} function helper() {{}} const LIMIT = 2; class Legacy {{}}"
    assert meaning_in(own, name) == f"app/main.php:{name}"


def test_a_class_of_the_global_namespace_is_imported_by_its_files_name() -> None:
    state = state_of(
        {"old/Legacy.php": GLOBAL, "a.php": "<?php namespace A; use Legacy as L; new L;"}
    )
    assert imported(state, "a.php") == ["old/Legacy.php"]
    assert meant(state, "a.php", "L") == "old/Legacy.php:Legacy"


def test_a_file_may_have_several_namespaces() -> None:
    text = "<?php namespace A { class X {} } namespace B\\C { class Y {} }\n"
    user = "<?php use A\\X; use B\\C\\Y; new X; new Y;"
    state = state_of({"both.php": text, "a.php": user})
    assert record_of(state, "both.php").manifest == (("package", "A", "B.C"),)
    assert meant(state, "a.php", "X") == "both.php:X"
    assert meant(state, "a.php", "Y") == "both.php:Y"


def test_a_class_that_moves_to_another_namespace_is_followed() -> None:
    state = state_of(FILES | {"a.php": "<?php use Acme\\Shop as S; new S\\Item;"})
    assert meant(state, "a.php", "Item") == "src/z/store.php:Item"
    put(state, "src/z/store.php", "<?php namespace Gone; class Item {}")
    state.update()
    assert meant(state, "a.php", "Item") == ""


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("require 'x.php';", "app/x.php"),
        ('include("x.php");', "app/x.php"),
        ("require_once __DIR__ . '/x.php';", "app/x.php"),
        ("include_once(__DIR__.'/../lib/y.php');", "lib/y.php"),
        ("require dirname(__DIR__) . '/lib/y.php';", "lib/y.php"),
        ("require dirname(__FILE__) . '/x.php';", "app/x.php"),
        ('require dirname(dirname(__FILE__)) . "/lib/y.php";', "lib/y.php"),
        ("require dirname(__DIR__, 1) . '/lib/y.php';", "lib/y.php"),
        ("require ROOT . '/lib/y.php';", "lib/y.php"),
        ("require $root . 'lib/y.php';", "lib/y.php"),
        ('require "$root/lib/y.php";', "lib/y.php"),
        ('require "{$this->root}/lib/y.php";', "lib/y.php"),
        ("require 'lib/y.php';", "lib/y.php"),
        ("require __DIR__ . '/none.php';", None),
        ("require $file;", None),
        ("require __DIR__;", None),
        ("require '';", None),
        ("require f('x.php', 2) . \"'\";", None),
    ],
)
def test_where_required_files_are(statement: str, target: str | None) -> None:
    files = {
        "app/main.php": f"<?php\n{statement}\n",
        "app/x.php": "<?php\n",
        "lib/y.php": "<?php\n",
    }
    assert imported(state_of(files), "app/main.php") == [target]


def test_a_required_file_has_precedence_among_equal_names() -> None:
    one, other = "<?php function run() {}", "<?php function run() { return 2; }"
    main = "<?php require 'b/run.php'; run();"
    state = state_of({"a/run.php": one, "b/run.php": other, "main.php": main})
    assert meant(state, "main.php", "run") == "b/run.php:run"


MAIN = """<?php
namespace Web;

use Acme\\Shop\\{Store, Item};

class Page
{
    public Store $shop;
    private $late;
    const SIZE = 2;
    private static ?Store $cached;

    function __construct(private Store $store, Item|null $item, $plain)
    {
        $this->late = new Item();
        $item->price();
        $this->store->find()->price();
        $made = new Store;
        $made->close()->note();
        $this->late?->price();
        self::$cached->find();
        $this->shop->first->price();
        Store::a()->find();
        $plain->unlikely();
        foreach ($made as $each) { $each->run($store); }
        static::SIZE;
        \\Acme\\Shop\\Store::a();
        $call = fn (Store $inner) => $inner->find();
        $again = new self($store, $item, find: $plain);
        $again->shop->close();
        $close = close($made[0], $close);
        $made[0]->find();
        \\helper();
    }
}
"""


@pytest.mark.parametrize(
    ("mark", "goal"),
    [
        ("$item->|price", "src/z/store.php:5 likely"),
        ("find()->|price", "src/z/store.php:5 likely"),
        ("$this->|store->find", "app/Page.php:13 likely"),
        ("$this->store->|find", "src/z/store.php:4 likely"),
        ("$made->|close", "lib/base.php:3 likely"),
        ("close()->|note", "x/logs.php:3 likely"),
        ("$this->late?->|price", "src/z/store.php:5 likely"),
        ("self::$|cached", "app/Page.php:11 likely"),
        ("self::$cached->|find", "src/z/store.php:4 likely"),
        ("first->|price", "src/z/store.php:5 likely"),
        ("a()->|find", "src/z/store.php:4 likely"),
        ("$plain->|unlikely", ""),
        ("static::|SIZE", "app/Page.php:10 likely"),
        ("Shop\\Store::|a()", "src/z/store.php:4 likely"),
        ("Shop\\|Store::a()", "src/z/store.php:4 likely"),
        ("$inner->|find", "src/z/store.php:4 likely"),
        ("new |Store", "src/z/store.php:4 likely"),
        ("$made[0]->|find", "src/z/store.php:4 likely"),
        ("\\|helper", "old/functions.php:3 likely"),
        ("$again->shop->|close", "lib/base.php:3 likely"),
        ("run($|store)", "app/Page.php:13 likely"),
        ("$|plain->", "app/Page.php:13 likely"),
    ],
)
def test_members_are_found_by_the_types_around(mark: str, goal: str) -> None:
    assert Tree(FILES | {"app/Page.php": MAIN}).meant("app/Page.php", mark) == goal


def test_a_class_of_the_files_own_namespace_is_meant_before_those_beside_it() -> None:
    files = {"web/Item.php": "<?php namespace Web; class Item {}", **FILES}
    tree = Tree(files | {"web/a.php": "<?php namespace Acme\\Shop; new Item;"})
    assert tree.meant("web/a.php", "new |Item") == "src/z/store.php:5 likely"


def test_parent_is_the_class_that_is_extended() -> None:
    page = "<?php namespace Acme\\Shop;\nclass Big extends Store {\nfunction find(): Item {\n"
    page += "parent::find(); self::find(); return parent::a()->close();\n} }\n"
    tree = Tree(FILES | {"p.php": page})
    assert tree.meant("p.php", "parent::|find") == "src/z/store.php:4 likely"
    assert tree.meant("p.php", "self::|find") == "p.php:3 likely"
    assert tree.meant("p.php", "a()->|close") == "lib/base.php:3 likely"


def test_references_of_a_property_are_its_uses_and_no_variables() -> None:
    text = (
        "<?php\nclass A { public static $x; public $x2; function m($x) { self::$x = $x; A::$x;\n"
        "$this->x2 = $this->$x; } }\n"
    )
    tree = Tree({"a.php": text, "b.php": "<?php\n$x = A::$x;\nx();\n"})
    assert tree.named("a.php", "static $|x;") == ["a.php:2:64-65", "a.php:2:76-77", "b.php:2:9-10"]
    assert tree.named("a.php", "public $|x2;") == ["a.php:3:7-9"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("function f($x) { return $x; } $x;", [True, True, False]),
        (
            "function f() { $x = 1; x(); $x->x; $this->x; X::$x; }",
            [True, False, True] + [False] * 3,
        ),
        ("function f() { [$x, [$y]] = g(); list('k' => $x) = $y; }", [True, True]),
        ("function f() { foreach ($a as $x => &$y) { } $x; }", [True, True]),
        ("function f() { foreach ($a as ['k' => $x]) { $x; } }", [True, True]),
        ("function f() { try { } catch (E $x) { $x; } }", [True, True]),
        ("function f() { static $x = 1; $x++; }", [True, True]),
        ("function f($x) { return fn ($y) => $x; }", [True, True]),
        ("function f($x) { return function () use (&$x) { $x(); }; }", [True, True, True]),
        ("function f($x) { function g() { $x; } }", [True, False]),
        ("function f() { $x[0][1] = 2; $x; }", [True, True]),
        ("function f() { $x = &$y; $z = &$x; }", [True, True]),
        ("function f() { g(x: 1); $x = 2; }", [False, True]),
        ("class A { public $x; function __construct(private $x) { $x; } }", [False, True, True]),
        ("class A { public $y { set($x) { $x; } } }", [True, True]),
        ('function f($x) { echo "a $x {$x->y} ${x}"; }', [True, True, True, False]),
        ("function f(...$x) { echo <<<A\n $x\nA; }", [True, True]),
        ("function f($x) { $o->$x; $o->{$x}(); $x::C; new $x; }", [True] * 5),
    ],
)
def test_which_names_are_local(text: str, places: list[bool]) -> None:
    found = occurrences_of("php", f"<?php {text}".encode(), ["x"])
    assert [each.is_local for each in found] == places


def test_members_and_global_functions_are_completed() -> None:
    main = "<?php\nclass A extends B { const C = 1; function m() {\n"
    main += "$this->\nhel\nA::$l\n$this?->m\n} }\n"
    files = {"a.php": main, "b.php": "<?php class B { static $left; }", "c.php": GLOBAL}
    tree = Tree(files)
    source = SourceText(main, described("php").reading)

    def labels(line: int) -> list[str]:
        place = TextPosition(line, len(main.split("\n")[line - 1]))
        found = completions(tree.view, RepoPath("a.php"), place, source, "")
        return [each["label"] for each in found]

    assert labels(3) == ["C", "left", "m"]
    assert labels(4) == ["helper"]
    assert labels(5) == ["left"]
    assert labels(6) == ["m"]


def test_text_without_php_has_no_symbols() -> None:
    record = parse("php", b"; an include file of an assembler\nclass A {}\nfunction f() {}\n")
    assert (record.symbols, record.uses, record.note) == ((), (), "")


def test_names_in_cells_are_local_without_a_tag() -> None:
    kernel = {"kernelspec": {"name": "jupyter-php", "language": "PHP"}}
    code = "class Order { function run($x) { go($x); } }"
    cells = [{"cell_type": "code", "source": code, "metadata": {}}]
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    found = occurrences_of("notebook", json.dumps(notebook).encode(), ["x"])
    assert [each.is_local for each in found] == [True, True]


def test_the_grammar_of_cells_has_the_types_of_nodes_that_are_named() -> None:
    cells = language_of_cells("php")
    assert cells is not None
    used = named(cells.syntax) & node_types(described("php"))
    assert used <= node_types(cells)
