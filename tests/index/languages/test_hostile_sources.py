"""Sources that are broken on purpose give a record in each language, and end soon."""

from time import thread_time
from typing import Final

import pytest

from jupyter_ac.index.languages.registry import LANGUAGES
from jupyter_ac.index.parsing import parse

_FAULT: Final = "can't be read: a fault of the index"
_MOST_SECONDS: Final = 3

ANY: Final = {
    "brackets": b"(" * 50_000,
    "braces": b"{ " * 5_000,
    "one word": b"x" * 1_000_000,
    "nothing but zeros": b"\0" * 1_000,
    "no UTF-8": b"\xff\xfe = \xff(\xfe)\n",
    "a string without an end": b'x = "' + b"a" * 100_000,
}
"""For all languages."""

OWN: Final[dict[str, list[bytes]]] = {
    "csharp": [
        b"class A { " * 5_000,
        b"x = " + b"new A { B = " * 5_000,
        b'var s = $"' + b'{$"' * 3_000,
        b'class A { string s = @"' + b"a" * 100_000,
        b"List<" * 5_000,
        b"namespace A." + b"B." * 20_000 + b"C;",
        b"class A\0 { int \xff; }",
        b"#if A\n" * 2_000,
    ],
    "julia": [
        b"module " * 20_000,
        b'f(x) = """' + b"a" * 100_000,
        b"f(x) = \0 1\n",
        b"g() = 1\n\xff\xfe f(x) = 1\n",
        b"begin\n" * 20_000,
    ],
    "kotlin": [
        b"fun f() { " + b"if (a) { " * 3_000,
        b"val x = " + b"(" * 5_000,
        b'val x = "never ends ${ a',
        b'val x = """never\n ends',
        b"class " + b"a" * 1_000_000,
        b"val x = \0\0 fun f() {}\0",
        b"/* " * 5_000,
        b"a<" * 5_000,
    ],
    "lua": [
        b"function f() " * 5_000,
        b"local t = " + b"{ a = " * 5_000,
        b"x = [==[ never ends",
        b"--[[ " * 5_000,
        b"if a then " * 5_000,
    ],
    "php": [
        b"<?php " + b"class A { " * 5_000,
        b"<?php $x = " + b"[" * 20_000,
        b"<?php $x = " + b"fn() => " * 5_000,
        b"<?php $x = " + b"new class { public $a = " * 3_000,
        b"<?php " + b"if ($a) { " * 5_000,
        b"<?php $x = $a" + b"->b()" * 20_000 + b";",
        b"<?php $x = " + b"$a . " * 20_000 + b"1;",
        b"<?php use A\\{" + b"B\\" * 20_000 + b"};",
        b"<?php namespace " + b"A\\" * 20_000 + b"B;",
        b'<?php $x = "' + b"{$a[" * 5_000,
        b"<?php echo <<<A\n" + b"$x " * 20_000,
        b"<?php ?>" * 20_000,
        b"<?php require " + b"dirname(" * 5_000 + b"__DIR__",
        b"<?php require '" + b"../" * 20_000 + b"x.php';",
        b"<?php class A { use " + b"T, " * 20_000 + b"U; }",
        b"<?php class A\xff\0 { const $; } function ( enum",
        b"<html>" * 20_000,
    ],
    "r": [
        b"f <- function(x) " * 5_000,
        b"if (a) { " * 5_000,
        b'x <- r"---( never ends',
        b"a$" * 20_000,
        b"`" + b"a" * 100_000,
    ],
    "scala": [
        b"object A { " * 3_000,
        b"val x = " + b"(" * 5_000,
        b'val x = s"never ends ${ a',
        b'val x = """never\n ends',
        b"class " + b"a" * 1_000_000,
        b"val x = \0\0 def f = 1\0",
        b"/* " * 5_000,
        b"a[" * 5_000,
        b"".join(b" " * depth + b"if a then\n" for depth in range(800)),
    ],
}


@pytest.mark.parametrize("kind", ANY)
@pytest.mark.parametrize("language", [language.name for language in LANGUAGES])
def test_a_broken_source_of_any_language_gives_a_record(language: str, kind: str) -> None:
    record = parse(language, ANY[kind])
    assert record.language == language
    assert record.note != _FAULT


@pytest.mark.parametrize(
    ("language", "data"),
    [(language, data) for language, sources in OWN.items() for data in sources],
    ids=lambda each: repr(each[:14]),
)
def test_a_source_that_is_hard_for_its_language_gives_a_record(language: str, data: bytes) -> None:
    start = thread_time()
    record = parse(language, data)
    assert thread_time() - start < _MOST_SECONDS
    assert record.language == language
    assert record.note != _FAULT


@pytest.mark.parametrize(
    ("language", "data", "names"),
    [
        ("csharp", b'class A { string x = "\xff\xfe"; void F() { } }\n', ["A", "x", "F"]),
        ("julia", b"g() = 1\n\xff\xfe\nf(x) = 1\n", ["g", "f"]),
        ("kotlin", b'val x = "\xff\xfe"\nfun f() {}\n', ["x", "f"]),
        ("lua", b'x = "\xff\xfe"\nfunction f() end\n', ["x", "f"]),
        ("php", b'<?php $x = "\xff\xfe"; function f() {}\n', ["x", "f"]),
        ("r", b'x <- "\xff\xfe"\nf <- function() 1\n', ["x", "f"]),
        ("scala", b'val x = "\xff\xfe"\ndef f = 1\n', ["x", "f"]),
    ],
)
def test_invalid_utf_8_is_read_as_far_as_possible(
    language: str, data: bytes, names: list[str]
) -> None:
    assert [symbol.name for symbol in parse(language, data).symbols] == names
