"""Joins the project manifests of a tree: which folders are which modules, packages, crates.

The files are named here, not in the modules of their languages, because what follows from them is
of several manifests at once (a configuration extends one in another package), and because the
languages' import finders ask it: `languages` imports `project`. Each language reads its own.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from jupyter_ac.index.project.paths import ancestors, folder_of, inside, name_of, within
from jupyter_ac.index.records import Manifest

_FAMILIES: Final = {"go.mod": "go", "Cargo.toml": "rust", "DESCRIPTION": "r"}
_CONFIGS: Final = ("tsconfig.json", "jsconfig.json")
_ENDINGS: Final = {"go": "go", "rs": "rust", "r": "r"}
_BY_FOLDER: Final = frozenset({"go", "r"})
"""Families whose packages are all files of a folder."""
_MAX_CONFIGS: Final = 20
"""Configurations that one may extend, directly or not: cycles end."""

ENTRIES: Final = ("src/index", "index", "lib/index", "src/main", "main")
"""Default entry files of an npm package."""
CRATE_FILES: Final = ("src/lib.rs", "src/main.rs")
"""Default root files of a crate."""
_BUILT: Final = frozenset({"dist", "build", "lib", "out", "es", "esm", "cjs", "types"})
_NONE: Final[Manifest] = ()


def declared_family(path: str) -> str:
    """Return the family whose imports this file may have a say about, by its name; "" for none."""
    if path.endswith((".json", ".jsonc")):
        return "javascript"
    return _FAMILIES.get(name_of(path), "")


class Alias(NamedTuple):
    """A pattern of imports, and the paths of the tree that stand for it; `*` is the rest."""

    pattern: str
    targets: tuple[str, ...]


class Config(NamedTuple):
    """How the scripts of a folder name modules.

    Attributes:
        base: folder below which modules are found by their plain names; None for none.
        aliases: in the order of the file.
    """

    base: str | None = None
    aliases: tuple[Alias, ...] = ()


class _Options(NamedTuple):
    """The options of a configuration: folders, and the patterns as written with their folder."""

    base: str | None
    origin: str
    aliases: tuple[tuple[str, ...], ...]


class Manifests:
    """The manifests of a tree by their paths, and what follows of them all."""

    def __init__(self) -> None:
        self._rows: dict[str, Manifest] = {}
        self._folders: dict[str, dict[str, list[str]]] = {}
        self._configs: dict[str, Config] = {}
        self._watched: set[tuple[str, str]] | None = None

    def put(self, path: str, rows: Manifest) -> bool:
        """Take in what a manifest says and return whether that is new."""
        if name_of(path) not in _CONFIGS and not _counts(path, rows):
            return self.remove(path)
        if self._rows.get(path) == rows:
            return False
        self._rows[path] = rows
        self._forget()
        return True

    def remove(self, path: str) -> bool:
        """Forget a manifest and return whether it was known."""
        if self._rows.pop(path, None) is None:
            return False
        self._forget()
        return True

    def all(self) -> dict[str, Manifest]:
        """Return all that is known, by path."""
        return dict(self._rows)

    def value(self, path: str, key: str) -> str:
        """Return what a manifest says under a key; "" for nothing."""
        return next((row[1] for row in self.rows(path, key) if len(row) > 1), "")

    def rows(self, path: str, key: str) -> list[tuple[str, ...]]:
        """Return the rows of a manifest that have a key."""
        return [row for row in self._rows.get(path, _NONE) if row[0] == key]

    def folders(self, manifest: str) -> dict[str, list[str]]:
        """Return the folders with a manifest of this name by what they are called there, sorted.

        A `-` in the name of a crate is a `_`, as in sources.
        """
        found = self._folders.get(manifest)
        if found is None:
            found = self._folders[manifest] = {}
            for path in sorted(path for path in self._rows if name_of(path) == manifest):
                for name in self._names(path):
                    found.setdefault(name, []).append(folder_of(path))
        return found

    def config(self, folder: str) -> Config:
        """Return how the scripts of a folder name modules: by the nearest configuration above."""
        found = self._configs.get(folder)
        if found is None:
            paths = (within(at, name) for at in ancestors(folder) for name in _CONFIGS)
            nearest = next((path for path in paths if path in self._rows), "")
            found = self._configs[folder] = self._config(nearest) if nearest else Config()
        return found

    def watching(self, path: str) -> str:
        """Return the family whose imports may lead to a path that they name no part of."""
        if self._watched is None:
            self._watched = set(self._watch())
        family = _ENDINGS.get(path.rpartition(".")[2].lower(), "javascript")
        place = folder_of(path) if family in _BY_FOLDER else stem(path)
        return family if (place, family) in self._watched else ""

    def _forget(self) -> None:
        self._folders.clear()
        self._configs.clear()
        self._watched = None

    def _names(self, path: str) -> Iterator[str]:
        manifest = name_of(path)
        if manifest == "Cargo.toml":
            names = self.value(path, "library"), self.value(path, "name")
            yield from dict.fromkeys(name.replace("-", "_") for name in names if name)
        else:
            yield self.value(path, "module" if manifest == "go.mod" else "name")

    def _config(self, path: str) -> Config:
        options = self._options(path, set())
        origin = options.origin if options.base is None else options.base
        aliases = (
            Alias(pattern, tuple(filter(None, (inside(origin, target) for target in targets))))
            for _, pattern, *targets in options.aliases
        )
        return Config(options.base, tuple(aliases))

    def _options(self, path: str, seen: set[str]) -> _Options:
        """Return what a configuration sets, and what those that it extends do."""
        seen.add(path)
        folder = folder_of(path)
        base = next((inside(folder, row[1]) for row in self.rows(path, "base")), None)
        found = _Options(base, folder, tuple(self.rows(path, "alias")))
        extended = [
            self._extended(folder, target)
            for row in self.rows(path, "extends")
            for target in reversed(row[1:])
        ]
        parts = [
            self._extended(folder, target)
            for row in self.rows(path, "reference")
            for target in row[1:]
        ]
        # Of the parts of a project only those count that are of the same folder.
        others = [*extended, *(part for part in parts if folder_of(part) == folder)]
        for other in others:
            if not other or other in seen or len(seen) >= _MAX_CONFIGS:
                continue
            inherited = self._options(other, seen)
            base = inherited.base if found.base is None else found.base
            chosen = found if found.aliases else inherited
            found = _Options(base, chosen.origin, chosen.aliases)
        return found

    def _extended(self, folder: str, target: str) -> str:
        if target.startswith("."):
            ways = [within(folder, target)]
        else:
            name, rest = split_package(target)
            ways = [within(at, rest) for at in self.folders("package.json").get(name, ())]
        tries = (f"{way}{end}" for way in ways for end in ("", ".json", "/tsconfig.json"))
        return next((path for path in tries if path in self._rows), "")

    def _watch(self) -> Iterator[tuple[str, str]]:
        for path in self._rows:
            folder, manifest = folder_of(path), name_of(path)
            if manifest == "package.json":
                for target in (*self.entries(folder), *self._exported(path)):
                    yield from _places(folder, target)
            elif family := _FAMILIES.get(manifest):
                yield from ((place, family) for place in self._sources(path, folder))
            # One that only extends others leads where they do.
            sets = self.rows(path, "alias") or self.rows(path, "base")
            for _, targets in self._config(path).aliases if sets else ():
                for target in targets:
                    yield from _places("", target)

    def _sources(self, path: str, folder: str) -> Iterator[str]:
        """Yield the folders, and the stems of files, that a module, crate or package is made of."""
        match name_of(path):
            case "go.mod":
                yield folder
                for row in self.rows(path, "replace"):
                    yield inside(folder, row[2]) or ""
            case "Cargo.toml":
                files = [row[2] for row in self.rows(path, "library")]
                yield from (
                    stem(within(folder, each)) for each in (*filter(None, files), *CRATE_FILES)
                )
            case "DESCRIPTION":
                yield within(folder, "R")

    def entries(self, folder: str) -> Iterator[str]:
        """Yield the files with which a package may begin, relative to its folder."""
        path = within(folder, "package.json")
        for row in (*self.rows(path, "export"), *self.rows(path, "entry")):
            targets = row[2:] if row[:2] == ("export", ".") else row[1:]
            if row[0] == "entry" or row[1:2] == (".",):
                yield from sources_of(targets)
        yield from ENTRIES

    def _exported(self, path: str) -> Iterator[str]:
        for row in self.rows(path, "export"):
            yield from sources_of(row[2:])


def _counts(path: str, rows: Manifest) -> bool:
    """Tell whether rows are such as a file of this name holds."""
    if name_of(path) == "package.json" or not path.endswith((".json", ".jsonc")):
        return bool(rows)
    return rows[:1] == (("config",),)


def _places(folder: str, target: str) -> Iterator[tuple[str, str]]:
    if "*" in target:
        return
    place = within(folder, target)
    yield stem(place), "javascript"
    yield bare(place), "javascript"


def sources_of(targets: Sequence[str]) -> Iterator[str]:
    """Yield files that a package names, each after what it may be built of."""
    for target in targets:
        first, _, rest = target.removeprefix("./").partition("/")
        if first in _BUILT and rest:
            below = rest.partition("/")[2] if rest.partition("/")[0] in _BUILT else rest
            yield f"src/{bare(below)}"
            yield bare(below)
        yield target


def bare(path: str) -> str:
    """Return a path without what stands behind the first dot of its name."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + (name.partition(".")[0] or name)


def stem(path: str) -> str:
    """Return what a script is named by: no ending, and the folder of an `index`."""
    short = bare(path)
    return folder_of(short) if name_of(short) == "index" else short


def split_package(module: str) -> tuple[str, str]:
    """Split what is imported into the name of the package and the way in it."""
    parts = module.split("/")
    count = 2 if module.startswith("@") else 1
    return "/".join(parts[:count]), "/".join(parts[count:])
