"""What `package.json` and `tsconfig.json` tell."""

from jupyter_ac.index.extraction.manifest_rows import manifest_of


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
