"""Which languages are read, and which files are in them (docs/languages.md)."""

import re
from pathlib import PurePosixPath
from typing import Final, Literal, NamedTuple, TypeAlias

Order: TypeAlias = Literal["name first", "name last"]

NOTEBOOK: Final = "notebook"
DOCUMENTS: Final = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".rst": "rst",
    ".svg": "svg",
    ".ipynb": NOTEBOOK,
}


TEXT: Final = "text"
GO_MODULE: Final = "go.mod"
"""Read for the imports of others; it has no symbols of its own."""
_TEXT_NAMES: Final = re.compile(
    r"(?:read.?me|changes|changelog|history|news|install(?:ation)?|usage|todo|authors|credits"
    r"|contributing|hacking|notes|faq|design|overview|roadmap)\b"
)
_TEXT_FOLDERS: Final = frozenset({"doc", "docs", "documentation", "manual", "notes"})
_LOCKS: Final = frozenset({"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml"})
"""Written by programs, in thousands of lines that nobody reads."""

_NO_TEXTS: Final = re.compile(r"cmakelists|requirements|constraints|robots|sources?$|entry_points")
"""Names of files that are read by programs though they end as texts."""


class Language(NamedTuple):
    """A language that tree-sitter reads.

    Attributes:
        name: also of its file of queries, `queries/<name>.scm`, unless `queries` names others.
        extensions: of its files, in lower case, with the dot.
        grammar: module of the grammar and the function in it.
        file_names: of files that are in this language whatever their extension.
        order: where a parameter's name stands: `n: int` or `int n`.
        separators: what stands between the parts of a name, beside the dot.
        queries: names of its files of queries when it shares some with another language.
    """

    name: str
    extensions: tuple[str, ...]
    grammar: tuple[str, str]
    file_names: tuple[str, ...] = ()
    order: Order = "name first"
    separators: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()


_SCRIPT: Final = ("ecmascript", "jsx", "javascript")
_TYPED: Final = ("ecmascript", "typescript")
_POINTERS: Final = "function_pointers"

LANGUAGES: Final = (
    Language("python", (".py", ".pyi", ".pyw"), ("tree_sitter_python", "language")),
    Language(
        "javascript",
        (".js", ".mjs", ".cjs", ".jsx"),
        ("tree_sitter_javascript", "language"),
        separators=("?.",),
        queries=_SCRIPT,
    ),
    Language(
        "typescript",
        (".ts", ".mts", ".cts"),
        ("tree_sitter_typescript", "language_typescript"),
        separators=("?.", "!."),
        queries=_TYPED,
    ),
    Language(
        "tsx",
        (".tsx",),
        ("tree_sitter_typescript", "language_tsx"),
        separators=("?.", "!."),
        queries=(*_TYPED, "jsx"),
    ),
    Language(
        "c",
        (".c", ".h"),
        ("tree_sitter_c", "language"),
        order="name last",
        separators=("->",),
        queries=("c", _POINTERS),
    ),
    Language(
        "cpp",
        (
            ".cpp",
            ".cc",
            ".cxx",
            ".c++",
            ".hpp",
            ".hh",
            ".hxx",
            ".h++",
            ".ipp",
            ".tpp",
            ".cu",
            ".cuh",
        ),
        ("tree_sitter_cpp", "language"),
        order="name last",
        separators=("->", "::"),
        queries=("cpp", _POINTERS),
    ),
    Language("java", (".java",), ("tree_sitter_java", "language"), order="name last"),
    Language("go", (".go",), ("tree_sitter_go", "language")),
    Language("rust", (".rs",), ("tree_sitter_rust", "language"), separators=("::",)),
    Language(
        "ruby",
        (".rb", ".rake", ".gemspec"),
        ("tree_sitter_ruby", "language"),
        file_names=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile"),
        separators=("&.", "::"),
    ),
    Language(
        "bash",
        (".sh", ".bash", ".bats"),
        ("tree_sitter_bash", "language"),
        file_names=(".bashrc", ".bash_profile", ".profile", "PKGBUILD"),
    ),
    Language("sql", (".sql",), ("tree_sitter_sql", "language")),
    Language("json", (".json", ".jsonc", ".webmanifest"), ("tree_sitter_json", "language")),
    Language(
        "toml",
        (".toml",),
        ("tree_sitter_toml", "language"),
        file_names=("Pipfile",),
    ),
    Language("yaml", (".yaml", ".yml"), ("tree_sitter_yaml", "language")),
    Language("html", (".html", ".htm", ".xhtml"), ("tree_sitter_html", "language")),
    Language("css", (".css",), ("tree_sitter_css", "language")),
)

_BY_NAME: Final = {language.name: language for language in LANGUAGES}
_BY_EXTENSION: Final = {end: language.name for language in LANGUAGES for end in language.extensions}
_BY_FILE_NAME: Final = {
    name: language.name for language in LANGUAGES for name in language.file_names
} | {"go.mod": GO_MODULE}


def language_of(path: str) -> str:
    """Return the language of a file by its name alone; "" when it is in none that is read.

    Args:
        path: with `/` between its parts.
    """
    name = PurePosixPath(path).name
    if name in _LOCKS:
        return ""
    if found := _BY_FILE_NAME.get(name):
        return found
    extension = PurePosixPath(name).suffix.lower()
    if extension == ".txt":
        return TEXT if _is_text(path) else ""
    return _BY_EXTENSION.get(extension) or DOCUMENTS.get(extension, "")


def _is_text(path: str) -> bool:
    """Tell whether a `.txt` is a document: by its name, or because it lies among documents."""
    folder, _, name = path.lower().rpartition("/")
    if _NO_TEXTS.match(name.removesuffix(".txt")):
        return False
    is_among = not _TEXT_FOLDERS.isdisjoint(folder.split("/"))
    return is_among or _TEXT_NAMES.match(name) is not None


def language_named(name: str) -> Language | None:
    """Return what is known of a language; None for documents and unknown names."""
    return _BY_NAME.get(name)
