"""What manifests tell."""

import pytest

from jupyter_ac.index.extraction.manifest_rows import MAX_BYTES, MAX_ROWS, manifest_of
from jupyter_ac.index.parsing import language_of, parse

GO = b"""// about
module example.com/a // here

go 1.22
require example.com/b v1.0.0
replace example.com/b => ../b
replace (
\texample.com/c v1.2.3 => ./c // ours
\texample.com/d => example.com/e v1.0.0
)
"""


def test_a_go_module_tells_its_name_and_what_folders_replace() -> None:
    assert manifest_of("go.mod", GO) == (
        ("module", "example.com/a"),
        ("replace", "example.com/b", "../b"),
        ("replace", "example.com/c", "./c"),
    )
    assert parse(language_of("x/go.mod"), GO).manifest == manifest_of("go.mod", GO)


def test_a_configuration_with_comments_and_commas_is_read() -> None:
    data = b"""{ // "extends": "no",
    /* , */ "extends": "./b", "compilerOptions": {"baseUrl": ".", "paths": {
    "@/*": ["a//*", "b/*", 7,], "x": "no list", },},}"""
    assert manifest_of("json", data) == (
        ("config",),
        ("extends", "./b"),
        ("base", "."),
        ("alias", "@/*", "a//*", "b/*"),
        ("alias", "x", "no list"),
    )


def test_a_package_tells_its_name_its_entries_and_its_needs() -> None:
    data = b"""{"name": "p", "main": "m.js", "types": "m.d.ts", "workspaces": ["x"],
    "dependencies": {"b": "1"}, "devDependencies": {"a": "*"}, "exports": {"import": ["./i.js"]}}"""
    assert manifest_of("json", data) == (
        ("name", "p"),
        ("workspaces",),
        ("needs", "a", "b"),
        ("entry", "m.d.ts", "m.js"),
        ("export", ".", "./i.js"),
    )


def test_a_crate_tells_its_name_its_library_and_its_needs() -> None:
    data = b"""[package]
name = "a-b" # x
[lib]
path = "l.rs"
[dependencies]
c = { version = "1", package = "see" }
[target.'cfg(unix)'.dependencies]
nix = "0.2"
[dev-dependencies.d]
name = "no"
"""
    assert manifest_of("toml", data) == (
        ("name", "a-b"),
        ("renamed", "c", "see"),
        ("needs", "c", "d", "nix"),
        ("library", "", "l.rs"),
    )


@pytest.mark.parametrize(
    "data",
    [
        b'{"name": ' + b"[" * 60_000,
        b'{"name": "' + b'\\"' * 30_000,
        b'{"name"' + b"/*" * 30_000,
        b'{"name"' + b"," * 60_000,
        b'{"name": ["\\ud800"], "exports": 7, "compilerOptions": [1]}',
        b'["name"]',
        b'{"name": "' + b"x" * MAX_BYTES + b'"}',
        b'{"extends": null, "references": [1, {"path": 2}]}',
        b"[package]\n" + b"[" + b" " * 60_000,
        b"[package]\n[dependencies]\n" + b"x = {" * 12_000,
        b"module (\n" * 6_000,
        b"\xff\x00 [package] \x00",
    ],
)
def test_hostile_files_neither_fail_nor_take_long(data: bytes) -> None:
    for language in ("go.mod", "json", "toml"):
        assert len(manifest_of(language, data)) <= MAX_ROWS


def test_there_are_at_most_so_many_rows() -> None:
    paths = ",".join(f'"p{n}": ["x"]' for n in range(400))
    data = f'{{"compilerOptions": {{"paths": {{{paths}}}}}}}'.encode()
    assert len(manifest_of("json", data)) == MAX_ROWS


def test_other_files_tell_nothing() -> None:
    assert manifest_of("json", b'{"a": 1}') == ()
    assert manifest_of("toml", b"[tool.x]\nname = 1\n") == ()
    assert manifest_of("python", b"name = 1\n") == ()
