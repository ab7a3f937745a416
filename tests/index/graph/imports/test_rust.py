"""Imports of Rust."""

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
