"""The definition of a language: the value that each module of this package creates."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from jupyter_ac.index.languages.path_imports import find
from jupyter_ac.index.languages.syntax import COMMON, Syntax
from jupyter_ac.index.project.import_target import ImportTarget
from jupyter_ac.index.project.path_tree import PathTree
from jupyter_ac.index.records import Import, Symbol

Order: TypeAlias = Literal["name first", "name last"]
FindImport: TypeAlias = Callable[[PathTree, str, Import], ImportTarget]
"""Returns what an import in the file of a path leads to."""
ReadManifest: TypeAlias = Callable[[bytes], Iterable[tuple[str, ...]]]
"""Returns what a file tells of its project, as rows of a key and its values. Never raises.

Only the file's content is known here, so a file that looks like a manifest is parsed as one; the
code that stores the rows checks the path.
"""


def _never(_: bytes) -> bool:
    return False


def _is_none(_: str) -> bool:
    return False


def _same(_: bytes) -> str:
    return ""


def _always(_: Symbol) -> bool:
    return True


def no_rows(_: bytes) -> tuple[tuple[str, ...], ...]:
    """Tell nothing of the project."""
    return ()


class Reading(NamedTuple):
    """How a file's symbols, uses and imports are read.

    Attributes:
        queries: names of the files of queries, `<name>.scm`, when there are several, or it is
            shared with another language; else the file has the language's name.
        order: where a parameter's name stands: `n: int` or `int n`.
        separators: what stands between the parts of a name, beside the dot.
        dots_in_names: whether a dot is a letter of names, such that only `separators` part them.
        dots_climb: whether each leading dot of an imported module means one folder upwards.
        package_separator: what stands between the parts of a package's name, where a name may be
            written behind all of them; the last part is what it is taken out of.
        packages_add_up: whether a package is declared inside the one that is declared above it.
        is_super: tells whether a text that isn't a name stands for what a class extends: `super()`.
        is_settings: whether only the first keys of a file count, and none of one with very many.
        is_too_deep: tells whether a text is nested so deep that the grammar must not read it.
        dialect: gives the name of the language that a file of this one is really in; "" for this.
    """

    queries: tuple[str, ...] = ()
    order: Order = "name first"
    separators: tuple[str, ...] = ()
    dots_in_names: bool = False
    dots_climb: bool = False
    package_separator: str = ""
    packages_add_up: bool = False
    is_super: Callable[[str], object] = _is_none
    is_settings: bool = False
    is_too_deep: Callable[[bytes], bool] = _never
    dialect: Callable[[bytes], str] = _same


class NameRules(NamedTuple):
    """The rules for resolving names beyond the symbols and the imports of their file.

    Attributes:
        self_names: of the object that a method belongs to, and of its class.
        super_names: of what its class extends.
        bare_names: what may define a bare name of which the file says nothing: nothing but what it
            imports ("imported"), also files that it opens or that stand beside it ("shared"), or
            any file ("global").
        scope: files whose names are known without an import: none, those of the same folder, all
            of the language, those of the same folder first, or those that declare the same package.
        separate_folders: names of folders whose files are programs of their own, such as tests:
            with the scope "folder", they don't know each other's names.
        platform: stands for all languages whose files see each other's packages; "" for none.
        sees_outer_packages: whether names of the packages around a file's own are known, too; an
            import may begin at any of them.
        sees_unnamed_package: whether the unnamed package is looked in after all others.
        has_relative_imports: whether an import may begin at a package that its file is in.
        has_partial_classes: whether classes of one name in a package, or in a class, are one.
        has_bare_members: whether a method names members of its own class with nothing before them.
        has_bare_super: whether `super` with nothing behind it calls the method of its own name.
        has_star_imports: whether an import may make all names of a file known.
        has_transitive_imports: whether what an imported file imports is known, too.
        imports_folders: whether an import names a package that is a folder of files.
        names_files_after_classes: whether the file of a class has its name: a star after a class
            takes its members, a star after a package its files.
        declares_apart: whether functions are declared in one file and defined in another, such
            that one definition in the tree is meant before all that is imported.
        opens_namespaces: whether what stands in a namespace, and the members of an enumeration,
            are known without its name.
        repeats_names: whether files have names of their own for equal things, such that one of
            several isn't taken for the one that is meant.
        constructor: what a class is asked for to make an object, and the method that does it.
        is_public: tells whether other files see a symbol at top level.
    """

    self_names: tuple[str, ...] = ()
    super_names: tuple[str, ...] = ("super", "base", "parent")
    bare_names: Literal["imported", "shared", "global"] = "imported"
    scope: Literal["file", "folder", "tree", "package"] = "file"
    separate_folders: frozenset[str] = frozenset()
    platform: str = ""
    sees_outer_packages: bool = False
    sees_unnamed_package: bool = False
    has_relative_imports: bool = False
    has_partial_classes: bool = False
    has_bare_members: bool = False
    has_bare_super: bool = False
    has_star_imports: bool = False
    has_transitive_imports: bool = False
    imports_folders: bool = False
    names_files_after_classes: bool = False
    declares_apart: bool = False
    opens_namespaces: bool = False
    repeats_names: bool = False
    constructor: tuple[str, str] = ("", "")
    is_public: Callable[[Symbol], bool] = _always

    @property
    def has_packages(self) -> bool:
        """Whether files know names by the packages that they declare."""
        return bool(self.platform) or self.scope == "package"

    def shares_names(self, folder: str) -> bool:
        """Tell whether the files of a folder know each other's names without an import."""
        return self.scope == "folder" and folder.rpartition("/")[2] not in self.separate_folders


class ImportRules(NamedTuple):
    """The rules for resolving imports.

    Attributes:
        find: the resolver; the default follows imports as paths.
        is_same_in_folder: whether an import has the same target from all files of a folder.
        names_own_path: whether imports name modules by the path of the importing file.
        root_files: names of files that decide where the imports below their folder begin.
        folder_stems: of files that are found by the name of their folder, or of the one around it.
        package_files: of which one stands for its folder, whose modules are taken out of it.
    """

    find: FindImport = find
    is_same_in_folder: bool = False
    names_own_path: bool = False
    root_files: tuple[str, ...] = ()
    folder_stems: tuple[str, ...] = ()
    package_files: tuple[str, ...] = ()


_USUAL_READING: Final = Reading()
_USUAL_NAMES: Final = NameRules()
_USUAL_IMPORTS: Final = ImportRules()


@dataclass(frozen=True, eq=False, slots=True)
class Language:
    """A language that tree-sitter reads. Each is itself: they are compared by identity.

    Attributes:
        name: also of its file of queries, `<name>.scm`, unless `reading` names others.
        extensions: of its files, in lower case, with the dot.
        grammar: module of the grammar and the function in it.
        extra: of this package, with which the grammar is installed; "" when it always is.
        file_names: of files that are in this language whatever their extension.
        cells_grammar: of the code in cells of notebooks, where that isn't `grammar`.
        declaring: endings of files that only declare what others define.
        family: name of the language that stands for all whose files name each other; "" for itself.
        reading: how a file is read.
        names: what a name may mean.
        imports: where imports lead.
        manifest: what a file in it tells of the project.
        syntax: how its trees show names, scopes and members.
        has_docstrings: whether what is said of a definition stands in it, not above it.
        has_strings_above: whether what is said of a definition may be a string above it.
        has_class_attributes: whether elements are given classes of style sheets.
        is_known_to_jedi: whether jedi is asked, too.
    """

    name: str
    extensions: tuple[str, ...]
    grammar: tuple[str, str]
    extra: str = ""
    file_names: tuple[str, ...] = ()
    cells_grammar: tuple[str, str] | None = None
    declaring: tuple[str, ...] = ()
    family: str = ""
    reading: Reading = _USUAL_READING
    names: NameRules = _USUAL_NAMES
    imports: ImportRules = _USUAL_IMPORTS
    manifest: ReadManifest = no_rows
    syntax: Syntax = COMMON
    has_docstrings: bool = False
    has_strings_above: bool = False
    has_class_attributes: bool = False
    is_known_to_jedi: bool = False


UNKNOWN: Final = Language("", (), ("", ""))
"""Stands for documents and for all that isn't read."""
