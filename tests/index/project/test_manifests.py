"""What follows of all manifests of a tree, and that any changes of them lead to the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.project.manifests import Config, Manifests, declared_family, sources_of, stem
from tests.support.examples import examples
from tests.support.indexed import put, state_of

CONTENTS = {
    "go.mod": ["", "module ex.io/a\n", "module ex.io/b\nreplace ex.io/a => ../two\n"],
    "Cargo.toml": [
        "",
        '[package]\nname = "a-b"\n[dependencies]\nc = "1"\na-b = "1"\n',
        '[package]\nname = "c"\n[lib]\npath = "src/other.rs"\n[dependencies]\na-b = "1"\n',
        '[package]\nname = "d"\n[dependencies]\nc = { package = "a-b" }\n',
    ],
    "package.json": [
        "{}",
        '{"name": "@s/a", "exports": {"./deep": "./dist/other.js"}}',
        '{"name": "plain", "main": "dist/other.js", "workspaces": ["x"]}',
        '{"name": "@s/a", "dependencies": {"plain": "*"}, "imports": {"#x": "./src/other.ts"}}',
    ],
    "tsconfig.json": [
        "{}",
        "broken",
        '{"compilerOptions": {"baseUrl": "."}}',
        '{"compilerOptions": {"paths": {"plain": ["./src", "./one"], "@s/*": ["./src/*"]}}}',
        '{"extends": "../two/tsconfig.json"}',
    ],
    "a.ts": [f"import {{x}} from '{name}';\n" for name in ("plain", "@s/a", "@s/a/deep", "#x")],
    "src/b.ts": [f"import {{x}} from '{name}';\n" for name in ("@s/other", "one", "src/other")],
    "src/index.ts": ["export function x() {}\n"],
    "src/other.ts": ["export function x() {}\n"],
    "a.go": [f'package a\nimport "ex.io/{name}"\n' for name in ("a", "b", "a/p", "a/one/p")],
    "p/b.go": ["package p\n"],
    "src/main.rs": ["use a_b::f;\n", "use c::f;\n", "use d::f;\n"],
    "src/lib.rs": ["use c::f;\n", "pub fn f() {}\n"],
    "src/other.rs": ["pub fn f() {}\n"],
}
FOLDERS = ("", "one/", "two/")


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, str | None]:
    name = draw(st.sampled_from(sorted(CONTENTS)))
    text = draw(st.sampled_from([*CONTENTS[name], *CONTENTS[name], None]))
    return draw(st.sampled_from(FOLDERS)) + name, text


def everything(state: LoadedIndex) -> dict[str, object]:
    found: dict[str, object] = {
        "manifests": sorted(state.graph.tables.tree.manifests.all().items())
    }
    for path in state.paths():
        record = state.record(path)
        lines = range(len(record.imports) if record else 0)
        found[path] = [state.imported(path, at) for at in lines], dict(state.targets(path))
    return found


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(changes(), min_size=20, max_size=40),
    st.lists(st.lists(changes(), min_size=1, max_size=2), min_size=1, max_size=6),
)
def test_any_changes_of_manifests_lead_to_the_same_as_an_index_from_scratch(
    first: list[tuple[str, str | None]], later: list[list[tuple[str, str | None]]]
) -> None:
    state, files = LoadedIndex(), dict[str, str]()
    for batch in (first, *later):
        for path, text in batch:
            if text is None:
                files.pop(path, None)
                state.remove(RepoPath(path))
            else:
                files[path] = text
                put(state, path, text)
        state.update()
    assert everything(state) == everything(state_of(files))


def test_a_manifest_says_the_same_until_it_is_changed() -> None:
    manifests = Manifests()
    assert manifests.put("a/go.mod", (("module", "m"),))
    assert not manifests.put("a/go.mod", (("module", "m"),))
    assert manifests.folders("go.mod") == {"m": ["a"]}
    assert manifests.put("a/go.mod", (("module", "n"),))
    assert manifests.folders("go.mod") == {"n": ["a"]}
    assert manifests.remove("a/go.mod")
    assert not manifests.remove("a/go.mod")


def test_a_file_of_another_name_is_no_manifest() -> None:
    manifests = Manifests()
    assert not manifests.put("data.json", (("name", "react"), ("needs",)))
    assert manifests.folders("package.json") == {}
    assert not declared_family("a.py")


def test_an_empty_configuration_hides_those_above() -> None:
    manifests = Manifests()
    manifests.put("tsconfig.json", (("config",), ("base", "src")))
    assert manifests.config("a/b") == Config("src")
    manifests.put("a/tsconfig.json", ())
    assert manifests.config("a/b") == Config()


def test_what_is_built_is_looked_for_among_the_sources() -> None:
    assert list(sources_of(["./dist/esm/a/b.d.ts"])) == ["src/a/b", "a/b", "./dist/esm/a/b.d.ts"]
    assert stem("x/index.d.ts") == "x"
