import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.rows import SymbolRow
from jupyter_ac.index.navigation.symbol_search import called, matching, rows, wanted
from tests.index.navigation.trees import Tree

NAMES = [
    "get_file_content",
    "getFileContent",
    "GFC",
    "gfc",
    "gfc_more",
    "big_gfc",
    "file",
    "profile",
    "my_file",
    "HTTPServer",
    "serve",
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("gfc", ["gfc", "GFC", "gfc_more", "getFileContent", "get_file_content", "big_gfc"]),
        ("file", ["file", "my_file", "getFileContent", "get_file_content", "profile"]),
        ("FileCont", ["getFileContent", "get_file_content"]),
        ("https", ["HTTPServer"]),
        ("hs", ["HTTPServer"]),
        ("server", ["HTTPServer"]),
        ("nothing", []),
        ("", []),
        ("   ", []),
    ],
)
def test_exact_names_come_first_then_beginnings_humps_and_parts(
    query: str, found: list[str]
) -> None:
    assert [match.name for match in matching(NAMES, wanted(query, 50)[0])] == found


TREE = Tree(
    {
        "a.py": "class Shop:\n    def sell(self, n): ...\nclass Stall:\n    def sell(self): ...\n",
        "api.yaml": "/users/{id}:\n  get: 1\n",
        "b.js": "function sell() {}\nfunction seldom() {}\n",
    }
)


def searched(query: str, limit: int = 50) -> list[SymbolRow]:
    records = [TREE.view.record(path) for path in TREE.view.paths()]
    names = {symbol.name for record in records if record for symbol in record.symbols}
    readings = wanted(query, limit)
    found = (rows(TREE.view, matching(names, each), each) for each in readings)
    return next(filter(None, found), [])


def test_a_row_says_where_the_symbol_is() -> None:
    assert searched("sell")[0] == {
        "name": "sell",
        "kind": "method",
        "file": "a.py",
        "line": 2,
        "column": 9,
        "container": "Shop",
        "signature": "(n)",
    }
    assert [(row["file"], row["container"]) for row in searched("sel")] == [
        ("a.py", "Shop"),
        ("a.py", "Stall"),
        ("b.js", ""),
        ("b.js", ""),
    ]


def test_a_symbol_is_looked_for_in_another() -> None:
    assert [row["container"] for row in searched("Stall.se")] == ["Stall"]
    assert [row["container"] for row in searched("st.sell")] == ["Stall"]


@pytest.mark.parametrize("between", [".", "::", "#", "/", "->"])
def test_the_separators_of_all_languages_stand_between_a_symbol_and_what_it_is_in(
    between: str,
) -> None:
    assert [row["container"] for row in searched(f"Stall{between}sell")] == ["Stall"]
    assert [row["container"] for row in searched(f"market{between}Stall{between}se")] == ["Stall"]
    found = called(TREE.view, [f"Stall{between}sell"])
    assert {row["name"] for row in found} == {"sell"}


def test_a_name_that_has_a_separator_in_itself_is_found_as_a_whole() -> None:
    assert [row["name"] for row in searched("users/{id}")] == ["/users/{id}"]
    assert [row["name"] for row in called(TREE.view, ["/users/{id}"])] == ["/users/{id}"]


@pytest.mark.parametrize("limit", [0, -1, 1, 3])
def test_no_more_are_found_than_are_wanted(limit: int) -> None:
    assert len(searched("sel", limit)) == max(0, min(limit, 4))


def test_a_hostile_name_takes_no_time() -> None:
    long = "aA" * 5_000
    assert matching([long], wanted("a" * 199 + "z", 5)[0]) == []
    assert len(matching([long], wanted("a" * 200, 5)[0])) == 1


def test_the_path_of_a_row_is_one_of_the_index() -> None:
    assert {row["file"] for row in searched("s")} <= {*map(RepoPath, ("a.py", "api.yaml", "b.js"))}


def test_symbols_of_exactly_these_names_are_found_each_name_once() -> None:
    found = called(TREE.view, ["Stall.sell", "sell", "Shop", "sel", "", "nothing"])
    names = [(row["file"], row["container"], row["name"]) for row in found]
    assert sorted(names) == [
        ("a.py", "", "Shop"),
        ("a.py", "Shop", "sell"),
        ("a.py", "Stall", "sell"),
        ("b.js", "", "sell"),
    ]
