"""Where a symbol is named: with the right width and column, in the files that can mean it."""

from tests.index.navigation.test_member_resolution import GO, JAVA, RUST, TS, C
from tests.index.navigation.trees import Tree


def test_references_are_all_names_in_code_not_only_calls() -> None:
    tree = Tree(
        {
            "a.ts": "export function sum(a: number) { return a }\nexport const all = [sum]\n",
            "b.ts": 'import { sum as total } from "./a"\n// sum\n'
            'log("sum", "é😀", total, { f: total })\n',
            "c.ts": "const sum = 1\nlog(sum)\n",
        }
    )
    assert tree.named("a.ts", "function su|m") == [
        "a.ts:2:20-23",
        "b.ts:1:9-12",
        "b.ts:1:16-21",
        "b.ts:3:18-23",
        "b.ts:3:30-35",
    ]


def test_references_of_a_method_are_those_of_its_own_class() -> None:
    assert Tree(GO).named("store/store.go", "Store) Ge|t") == ["main.go:7:6-9"]
    assert Tree(GO).named("other/other.go", "Cart) Ge|t") == []
    assert Tree(JAVA).named("a/Store.java", "void ke|ep") == [
        "a/Main.java:6:12-16",
        "a/Main.java:9:17-21",
    ]
    assert Tree(TS).named("store.ts", "fi|nd(key: string)") == [
        "main.ts:5:6-10",
        "main.ts:6:8-12",
        "main.ts:8:10-14",
    ]
    assert Tree(RUST).named("src/bag.rs", "is_fil|led") == ["src/lib.rs:11:16-25"]


def test_references_of_a_function_of_c_hold_its_declaration_and_macros() -> None:
    places = ["lib/pool.h:2:13-22", "main.c:2:16-25", "main.c:8:4-13"]
    assert Tree(C).named("lib/pool.c", "*pool_ta|ke(struct") == places


def test_a_local_name_hides_a_symbol_of_the_same_name() -> None:
    tree = Tree({"a.js": "function row() {}\nfunction f(row) { return row }\nrow()\n"})
    assert tree.named("a.js", "function ro|w") == ["a.js:3:0-3"]
