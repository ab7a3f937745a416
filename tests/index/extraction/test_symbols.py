import pytest

from jupyter_ac.index.extraction import symbols
from jupyter_ac.index.parsing import parse
from jupyter_ac.index.records import NOBODY


def test_a_symbol_knows_the_one_around_it() -> None:
    record = parse(
        "python", b"class A:\n  def b(self):\n    def c(): pass\n  class D:\n    e = 1\nf = 2\n"
    )
    assert [(symbol.name, symbol.kind, symbol.parent) for symbol in record.symbols] == [
        ("A", "class", NOBODY),
        ("b", "method", 0),
        ("c", "function", 1),
        ("D", "class", 0),
        ("e", "property", 3),
        ("f", "variable", NOBODY),
    ]


def test_what_a_constructor_sets_belongs_to_the_class_once() -> None:
    text = b"class A:\n  def __init__(self):\n    self.x = f()\n    self.x = 2\n  x = 3\n"
    record = parse("python", text)
    assert [(symbol.name, symbol.parent) for symbol in record.symbols] == [
        ("A", NOBODY),
        ("__init__", 0),
        ("x", 0),
    ]
    assert record.uses[0].inside == 1


def test_a_method_outside_of_its_class_belongs_to_it() -> None:
    record = parse("go", b"package a\ntype T struct{}\nfunc (t *T) M() {}\nfunc (o Other) N() {}\n")
    assert [(symbol.name, symbol.kind, symbol.parent) for symbol in record.symbols] == [
        ("T", "struct", NOBODY),
        ("M", "method", 0),
        ("N", "method", NOBODY),
    ]


def test_an_implementation_adds_a_base() -> None:
    record = parse("rust", b"struct A;\nimpl B for A { fn c(&self) {} }\nfn d() {}\n")
    assert record.symbols[0].bases == ("B",)
    assert [symbol.parent for symbol in record.symbols] == [NOBODY, 0, NOBODY]


def test_too_many_symbols_are_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbols, "MAX_SYMBOLS", 3)
    record = parse("python", b"".join(b"a%d = 1\n" % n for n in range(10)))
    assert len(record.symbols) == 3
    assert record.note == "more than 20,000 symbols"


def test_lines_begin_with_what_decorates() -> None:
    (symbol,) = parse("python", b"\n@a\n@b(1)\ndef c():\n    pass\n\n").symbols
    assert (symbol.first_line, symbol.line, symbol.last_line, symbol.column) == (2, 4, 5, 4)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A, B = 1, 2\n(c, d) = [e] = f()\n[g] = h\n_, i = j()\n", "A B c d g i"),
        ("A = B = C = 3\n", "A B C"),
        ("if a:\n  B = 1\nelif c:\n  D, E = 1, 2\nelse:\n  F = 1\n", "B D E F"),
        ("with a as b:\n  C = 1\n", "C"),
        ("try:\n  A = 1\nexcept B:\n  C = 1\nelse:\n  D = 1\nfinally:\n  E = 1\n", "A C D E"),
        ("if a:\n  if b:\n    C = 1\nfor d in e:\n  F = 1\n", ""),
        ("def a():\n  B, C = 1, 2\n  if b:\n    D = E = 1\n", "a"),
        ("if __name__ == '__main__':\n  a = 1\n", ""),
        ("class A:\n  b, c = 1, 2\n", "A b c"),
    ],
)
def test_names_that_a_module_or_a_class_assigns_are_symbols(text: str, names: str) -> None:
    assert " ".join(symbol.name for symbol in parse("python", text.encode()).symbols) == names


def test_what_a_constructor_sets_under_a_condition_belongs_to_the_class() -> None:
    record = parse(
        "python",
        b"class A:\n  def __init__(self):\n    self.a, self.b = c\n    if d:\n      self.e = 1\n"
        b"    else:\n      self.f = 1\n      other.g = 1\n  def h(self):\n    self.i = 1\n",
    )
    names = [(symbol.name, symbol.parent) for symbol in record.symbols]
    assert names == [("A", NOBODY), ("__init__", 0), *((name, 0) for name in "abefh")]


def test_a_name_of_several_branches_is_one_symbol_at_its_first_place() -> None:
    text = b"if a:\n  B = 1\nelse:\n  B = 2\nB = 3\ntry:\n  c = 1\nexcept d:\n  c = None\n"
    record = parse("python", text)
    assert [(symbol.name, symbol.line) for symbol in record.symbols] == [("B", 2), ("c", 7)]


@pytest.mark.parametrize("line", ["from .fast import a", "import b as a", "import a.b"])
def test_what_stands_in_for_an_import_is_no_second_definition(line: str) -> None:
    text = f"try:\n  {line}\n  C = 1\nexcept ImportError:\n  a = None\n  C = 0\n"
    assert [symbol.name for symbol in parse("python", text.encode()).symbols] == ["C"]
    plain = f"{line}\na = wrap(a)\n"
    assert [symbol.name for symbol in parse("python", plain.encode()).symbols] == ["a"]


def test_what_commonjs_hands_on_is_no_definition() -> None:
    text = b"exports.a = a;\nexports.b = require('b').b();\nexports.c = 1;\n"
    assert [symbol.name for symbol in parse("javascript", text).symbols] == ["c"]


def test_functions_that_objects_are_given_count_at_top_level_and_for_classes() -> None:
    text = b"app.a = () => 1;\nfunction b() { x.c = () => 1; Foo.d = function () {}; }\n"
    assert [symbol.name for symbol in parse("javascript", text).symbols] == ["a", "b", "d"]
