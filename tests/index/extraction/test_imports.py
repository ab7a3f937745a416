import pytest

from jupyter_ac.index.extraction.imports import use_tree
from jupyter_ac.index.parsing import parse
from jupyter_ac.index.records import Import


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        ("python", "import a.b", Import("a.b", (), "", 0, 1)),
        ("python", "import a.b as c", Import("a.b", (), "c", 0, 1)),
        ("python", "from ...a import b", Import("a", (("b", "b"),), "", 3, 1)),
        ("python", "from . import (b as c,\n d)", Import("", (("b", "c"), ("d", "d")), "", 1, 1)),
        ("python", "from a import *", Import("a", (("*", "*"),), "", 0, 1)),
        ("javascript", "import a from './a'", Import("./a", (("default", "a"),), "", 0, 1)),
        ("javascript", "import * as a from '.'", Import(".", (), "a", 0, 1)),
        ("javascript", "import {a as b} from 'x'", Import("x", (("a", "b"),), "", 0, 1)),
        ("javascript", "export * from './a'", Import("./a", (), "", 0, 1)),
        (
            "javascript",
            "const {a, b: c} = require('x')",
            Import("x", (("a", "a"), ("b", "c")), "", 0, 1),
        ),
        (
            "javascript",
            "const {a, 'b': c, d: {e}, f = 1, ...g} = require('x')",
            Import("x", (("a", "a"), ("b", "c")), "", 0, 1),
        ),
        ("javascript", "const a = require('x')", Import("x", (), "a", 0, 1)),
        ("typescript", "import a = require('x')", Import("x", (), "a", 0, 1)),
        ("c", '#include "a/b.h"\n', Import("a/b.h", (), "", 0, 1)),
        ("cpp", "#include <vector>\n", Import("vector", (), "", 0, 1)),
        ("java", "import a.b.C;", Import("a.b", (("C", "C"),), "", 0, 1)),
        ("java", "import static a.B.*;", Import("a.B", (("*", "*"),), "", 0, 1)),
        ("go", 'import x "a/b"', Import("a/b", (), "x", 0, 1)),
        ("rust", "use a::b as c;", Import("a", (("b", "c"),), "", 0, 1)),
        ("rust", "mod a;", Import("self::a", (), "", 0, 1)),
        ("ruby", "require 'a/b'", Import("a/b", (), "", 0, 1)),
        ("ruby", "require_relative 'a'", Import("./a", (), "", 0, 1)),
        ("bash", 'source "$(dirname "$0")/a.sh"', Import("a.sh", (), "", 0, 1)),
        ("bash", ". ${HERE}/b/a.sh", Import("b/a.sh", (), "", 0, 1)),
        ("css", "@import 'a.css';", Import("a.css", (), "", 0, 1)),
        ("html", "<script src=a.js></script>", Import("a.js", (), "", 0, 1)),
    ],
)
def test_imports(language: str, line: str, expected: Import) -> None:
    assert parse(language, line.encode()).imports == (expected,)


def test_an_import_is_no_variable() -> None:
    assert parse("javascript", b"const a = require('x')").symbols == ()


def test_thousands_of_names_from_one_module_are_read_in_one_go() -> None:
    names = ",\n".join(f"n{number}" for number in range(5000))
    (found,) = parse("javascript", f"const {{{names}}} = require('x')\n".encode()).imports
    assert len(found.names) == 5000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", {"a": ()}),
        ("a::b", {"a": (("b", "b"),)}),
        ("a::b as c", {"a": (("b", "c"),)}),
        ("a::*", {"a": (("*", "*"),)}),
        (
            "a::{self, b::{C, D as E}, f}",
            {"a": (("self", "a"), ("f", "f")), "a::b": (("C", "C"), ("D", "E"))},
        ),
        ("{a::b, c::d}", {"a": (("b", "b"),), "c": (("d", "d"),)}),
        ("a::{", {}),
        ("", {}),
    ],
)
def test_use_trees(text: str, expected: dict[str, tuple[tuple[str, str], ...]]) -> None:
    assert use_tree(text, 3) == [
        Import(module, names, "", 0, 3) for module, names in expected.items()
    ]


def test_a_deep_tree_ends() -> None:
    assert use_tree("a::{" * 5_000 + "b", 1) == []
