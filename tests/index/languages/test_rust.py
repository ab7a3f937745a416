"""Imports of Rust."""

from jupyter_ac.index.extraction.manifest_rows import manifest_of
from tests.support.indexed import imported, meant, state_of

FILES = {
    "Cargo.toml": "",
    "src/lib.rs": "mod store;\npub mod net;\nuse crate::store::Row;\n",
    "src/store.rs": "pub struct Row {}\nimpl Row { pub fn fresh() {} }\n",
    "src/net/mod.rs": "use super::store::Row as R;\nuse std::io;\nfn f() { R::fresh() }\n",
}


def test_modules_items_and_the_folders_above_are_found() -> None:
    state = state_of(FILES)
    assert imported(state, "src/lib.rs") == ["src/store.rs", "src/net/mod.rs", "src/store.rs"]
    assert imported(state, "src/net/mod.rs") == ["src/store.rs", None]
    assert meant(state, "src/net/mod.rs", "fresh") == "src/store.rs:Row.fresh"


def test_another_crate_of_the_workspace_is_found() -> None:
    files = {
        "my-core/Cargo.toml": "",
        "my-core/src/lib.rs": "pub fn boot_up() {}\n",
        "app/Cargo.toml": "",
        "app/src/main.rs": "use my_core::boot_up;\nfn main() { boot_up() }\n",
    }
    state = state_of(files)
    assert imported(state, "app/src/main.rs") == ["my-core/src/lib.rs"]
    assert meant(state, "app/src/main.rs", "boot_up") == "my-core/src/lib.rs:boot_up"


CRATES = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
    "crates/one/Cargo.toml": '[package]\nname = "acme-core"  # of all\n',
    "crates/one/src/lib.rs": "pub mod store;\npub fn boot_up() {}\n",
    "crates/one/src/store.rs": "pub struct Row {}\n",
    "crates/two/Cargo.toml": '[package]\nname = "two"\n[lib]\nname = "deux"\npath = "lib/all.rs"\n',
    "crates/two/lib/all.rs": "pub fn both() {}\n",
    "app/Cargo.toml": '[package]\nname = "app"\n[dependencies]\nacme-core.workspace = true\n'
    'second = { path = "../crates/two", package = "two" }\n[dependencies.two]\npath = "x"\n',
}


def _led(module: str, path: str = "app/src/main.rs") -> str | None:
    return imported(state_of(CRATES | {path: f"use {module};\n"}), path)[0]


def test_a_crate_is_found_by_the_name_in_its_manifest() -> None:
    assert _led("acme_core::boot_up") == "crates/one/src/lib.rs"
    assert _led("acme_core::store::Row") == "crates/one/src/store.rs"
    assert _led("deux::both") == "crates/two/lib/all.rs"
    assert _led("second::both") == "crates/two/lib/all.rs"


def test_a_crate_means_its_own_library_by_its_name() -> None:
    assert _led("acme_core::boot_up", "crates/one/tests/a.rs") == "crates/one/src/lib.rs"


def test_a_crate_that_isnt_named_as_needed_joins_nothing() -> None:
    assert _led("acme_core::boot_up", "crates/two/lib/b.rs") is None
    assert _led("one::boot_up") is None
    assert _led("serde::Serialize") is None


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
