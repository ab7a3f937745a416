"""What manifests tell, within limits."""

import pytest

from jupyter_ac.index.extraction.manifest_rows import MAX_BYTES, MAX_ROWS, manifest_of


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
