import pytest

from jupyter_ac.index.extracting import symbols
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
