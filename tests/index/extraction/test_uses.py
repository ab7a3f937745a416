import pytest

from jupyter_ac.index.parsing import parse


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("python", "a.b.c(d())", [("", "c"), ("", "d")]),
        ("python", "np.sum(x)", [("np", "sum")]),
        ("javascript", "a?.b(); new C.D()", [("a", "b"), ("C", "D")]),
        ("c", "int f(void) { return a->b(c(1)); }", [("a", "b"), ("", "c")]),
        ("cpp", "int f() { return a::b(x.y<int>(1)); }", [("a", "b"), ("", "y")]),
        ("java", "class A { void f() { b.c().d(); } }", [("b", "c"), ("", "d")]),
        ("go", "package a\nfunc f() { b.C() }", [("b", "C")]),
        ("rust", "fn f() { A::new().b(); c!(); }", [("A", "new"), ("", "b"), ("", "c")]),
        ("ruby", "a.b(C.new)", [("a", "b"), ("", "C"), ("C", "new")]),
        (
            "python",
            "super().a(); super(A, b).c(); supers().d()",
            [
                ("", "super"),
                ("super", "a"),
                ("", "super"),
                ("super", "c"),
                ("", "supers"),
                ("", "d"),
            ],
        ),
        (
            "kotlin",
            "fun f() { super<A>.b(); super@C.d() }",
            [("", "A"), ("super", "b"), ("super", "d")],
        ),
        ("java", "class A { void f() { B.super.c(); } }", [("super", "c")]),
        ("bash", "f() { g; }\nh | g", [("", "g"), ("", "h"), ("", "g")]),
        ("php", "<?php \\A\\B\\c(); \\d();", [("B", "c"), ("", "d")]),
        ("php", "<?php \\A\\B::$c; $d?->e;", [("A", "B"), ("B", "c"), ("d", "e")]),
        ("sql", "SELECT f(a) FROM t", [("", "f"), ("", "t")]),
    ],
)
def test_uses(language: str, text: str, expected: list[tuple[str, str]]) -> None:
    record = parse(language, text.encode())
    assert [(use.base, use.name) for use in record.uses] == expected


def test_a_definition_is_no_use() -> None:
    record = parse("java", b"class A extends B { C d; }")
    assert [use.name for use in record.uses] == ["B", "C"]


def test_a_name_over_several_lines_stands_where_its_last_part_is() -> None:
    (use,) = parse("python", b"(a\n  .b(1))\n").uses
    assert (use.name, use.base, use.line, use.column) == ("b", "a", 2, 3)


def test_a_use_is_inside_the_innermost_symbol() -> None:
    text = b"a()\ndef b():\n  c()\n  def d():\n    e()\n  f()\ng()\n"
    record = parse("python", text)
    assert [(use.name, use.inside) for use in record.uses] == [
        ("a", -1),
        ("c", 0),
        ("e", 1),
        ("f", 0),
        ("g", -1),
    ]


def test_a_long_chain_costs_no_square() -> None:
    record = parse("python", b"a" + b".b()\n" * 3_000)
    assert len(record.uses) <= 3_000
