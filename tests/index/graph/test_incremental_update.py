"""A state after any changes equals one that is made of the same files at once."""

import re
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.record_codec import seal
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.records import NOBODY, FileRecord, Import, Kind, Manifest, Symbol, Use
from jupyter_ac.index.view import Definition
from tests.support.examples import examples

LANGUAGES = {"py": "python", "ts": "typescript", "java": "java", "go": "go", "c": "c", "rs": "rust"}
LANGUAGES |= {
    "cs": "csharp",
    "kt": "kotlin",
    "scala": "scala",
    "json": "json",
    "mod": "go.mod",
    "toml": "toml",
    "R": "r",
    "php": "php",
    "DESCRIPTION": "DESCRIPTION",
}
PATHS = [
    "pkg/__init__.py",
    "pkg/a.py",
    "pkg/b.py",
    "pkg/sub/a.py",
    "a.py",
    "src/b.py",
    "x/index.ts",
    "x/a.ts",
    "x/package.json",
    "z.ts",
    "j/a.java",
    "j/b.java",
    "g/go.mod",
    "g/m/a.go",
    "g/m/b.go",
    "i/a.h",
    "i/b.c",
    "r/src/lib.rs",
    "r/src/a.rs",
    "tsconfig.json",
    "x/tsconfig.json",
    "y/package.json",
    "y/src/index.ts",
    "go.mod",
    "n/n.go",
    "r/Cargo.toml",
    "s/Cargo.toml",
    "s/src/lib.rs",
    "s/src/main.rs",
    "h/a.cs",
    "h/b.cs",
    "k/c.cs",
    "k/d.cs",
    "v/a.php",
    "v/make_thing.php",
    "w/b.php",
    "j/c.kt",
    "v/d.kt",
    "v/e.scala",
    "v/f.java",
    "v/Base.java",
    "t/DESCRIPTION",
    "t/R/a.R",
    "t/R/b.R",
    "u/DESCRIPTION",
    "u/R/a.R",
    "u/c.R",
]
ROWS: dict[str, list[Manifest]] = {
    "go.mod": [
        (("module", "example"),),
        (("module", "example/m"), ("replace", "j", "./n")),
        (("module", "j"), ("replace", "example", "../n")),
    ],
    "package.json": [
        (("name", "x"), ("workspaces",), ("export", "./a", "./dist/a.js")),
        (("name", "@s/y"), ("needs", "x"), ("export", ".", "./index.js")),
        (("name", "b"), ("workspaces",), ("entry", "./dist/index.js")),
    ],
    "tsconfig.json": [
        (("config",), ("base", "./y/src"), ("alias", "@s/*", "../../x/*")),
        (("config",), ("base", "."), ("alias", "pkg", "./x", "z.ts"), ("alias", "b", "y/src")),
        (("config",), ("extends", "../tsconfig.json")),
    ],
    "Cargo.toml": [
        (("name", "other-crate"), ("needs", "other-crate", "a")),
        (("name", "a"), ("needs", "other-crate"), ("library", "", "src/main.rs")),
        (("name", "c"), ("needs", "b"), ("renamed", "b", "a")),
    ],
    "DESCRIPTION": [(("name", "pkg"),), (("name", "b.r"),), (("name", "j"),)],
}
PACKAGES: list[Manifest] = [
    (("package", "pkg"),),
    (("package", "pkg.a"),),
    (("package", "b", "pkg.b"),),
]
NAMES = ["make_thing", "fetchRows", "get", "Base", "Other", "a", "b"]
MODULES = ["a", "b", "pkg", "pkg.a", "pkg.b", "sub.a", "", "./a", "../x", "x", "./x/index", "j.a"]
MODULES += ["j", "example/m", "a.h", "i/a.h", "crate::a", "super", "example", "@s/y", "@s/a"]
MODULES += ["pkg.Base", "pkg.a.Other", "b.Base", "Base", "pkg.Base.*"]
MODULES += ["x/a", "other_crate", "other_crate::a", "example/n", "a.R", "R/b.R", "b.r"]

Step: TypeAlias = tuple[str, str, FileRecord | None]
names = st.sampled_from(NAMES)
pairs = st.tuples(st.sampled_from([*NAMES, "*", "default"]), names)
imports = st.builds(
    Import,
    st.sampled_from(MODULES),
    st.lists(pairs, max_size=2).map(tuple),
    st.sampled_from(["", "", *NAMES]),
    st.sampled_from([0, 0, 1, 2]),
    st.integers(1, 9),
)


@st.composite
def records(draw: st.DrawFn, language: str, rows: list[Manifest]) -> FileRecord:
    symbols: list[Symbol] = []
    kinds: list[Kind] = ["class", "function", "key"]
    for at in range(draw(st.integers(0, 4))):
        bases = tuple(draw(st.lists(st.sampled_from([*NAMES, "a.Base"]), max_size=1)))
        parent = draw(st.integers(NOBODY, at - 1)) if at else NOBODY
        kind = draw(st.sampled_from(kinds))
        symbols.append(Symbol(draw(names), kind, at, 0, at, at, parent, bases=bases))
    uses = tuple(
        Use(draw(names), draw(st.sampled_from(["", "self", "super", *NAMES])), line, 0, inside)
        for line in range(draw(st.integers(0, 4)))
        for inside in [draw(st.integers(NOBODY, len(symbols) - 1))]
    )
    words = tuple(sorted(draw(st.sets(names, max_size=3))))
    lines = tuple(draw(st.lists(imports, max_size=3)))
    note = draw(st.sampled_from(["", "odd"]))
    manifest = draw(st.sampled_from([(), *rows]))
    return FileRecord(language, tuple(symbols), lines, uses, words, None, note, manifest)


@st.composite
def steps(draw: st.DrawFn) -> Step:
    path = draw(st.sampled_from(PATHS))
    what = draw(st.sampled_from(["put", "put", "put", "remove", "rename"]))
    if what == "rename":
        return what, draw(st.sampled_from(PATHS)) + "\n" + path, None
    declares = path.endswith((".cs", ".java", ".kt", ".php", ".scala"))
    rows = PACKAGES if declares else ROWS.get(path.rpartition("/")[2], [])
    return what, path, draw(records(_language(path), rows)) if what == "put" else None


def _language(path: str) -> str:
    return LANGUAGES.get(re.split(r"[./]", path)[-1], "c" if path.endswith(".h") else "")


def _put(state: LoadedIndex, path: str, record: FileRecord | None) -> None:
    sealed = seal(record) if record and record.language else b""
    state.put(RepoPath(path), str(hash(record)), sealed)


def everything(state: LoadedIndex) -> dict[str, object]:
    told: dict[str, object] = {
        "generation": state.generation,
        "paths": list(state.paths()),
        "skipped": dict(state.skipped()),
        "defining": {name: list(state.defining(name)) for name in NAMES},
        "holders": {name: list(state.holders(name)) for name in NAMES},
    }
    for path in state.paths():
        record = state.record(path) or FileRecord("")
        told[path] = {
            "record": record,
            "meaning": [state.meaning(path, use) for use in range(len(record.uses))],
            "imported": [state.imported(path, at) for at in range(len(record.imports))],
            "references": [
                list(state.references(Definition(path, at))) for at in range(len(record.symbols))
            ],
            "targets": list(state.targets(path).items()),
            "sources": list(state.sources(path).items()),
        }
    return told


def _do(state: LoadedIndex, files: dict[str, FileRecord | None], step: Step) -> None:
    what, path, record = step
    old, _, new = path.partition("\n")
    if what == "put":
        files[path] = record
        _put(state, path, record)
        return
    moved = files.pop(old, None)
    state.remove(RepoPath(old))
    if what == "rename" and moved:
        files[new] = moved._replace(language=_language(new))
        _put(state, new, files[new])


@settings(max_examples=examples(30), deadline=None)
@given(
    st.lists(steps(), min_size=12, max_size=25),
    st.lists(st.lists(steps(), min_size=1, max_size=3), min_size=1, max_size=4),
)
def test_any_changes_lead_to_the_same_as_a_state_made_at_once(
    first: list[Step], later: list[list[Step]]
) -> None:
    state, files = LoadedIndex(), dict[str, FileRecord | None]()
    for batch in (first, *later):
        for step in batch:
            _do(state, files, step)
        state.update()
    fresh = LoadedIndex()
    for path, record in files.items():
        _put(fresh, path, record)
    fresh.update()
    assert everything(state) == everything(fresh)
