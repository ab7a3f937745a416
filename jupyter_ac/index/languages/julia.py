"""Julia; modules by the name that a file declares, and `include` of files."""

from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules
from jupyter_ac.index.languages.syntax import COMMON, FIRST, LAST, kinds
from jupyter_ac.index.project.import_target import Binding, ImportTarget, bound
from jupyter_ac.index.project.path_tree import PathTree, folder_of, nearest, within
from jupyter_ac.index.records import Import

_SCOPES: Final = kinds("arrow_function_expression do_clause function_definition macro_definition")
_GIVING: Final = ("assignment", "catch_clause", "for_binding", "let_binding")
_LISTS: Final = kinds(
    "argument_list binary_expression curly_expression open_tuple splat_expression tuple_expression "
    "where_expression"
)


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the file that is included, or that declares the module."""
    module = line.module.lstrip(".")
    if module.endswith(".jl"):
        file = within(folder_of(path), line.module)
        return ImportTarget((file,), (), (file,)) if file and file in tree else ImportTarget()
    files = _declaring(tree, path, module)
    around, _, last = module.rpartition(".")
    if not files and around and not line.names:
        # `import A.f` takes a function out of a module.
        files = _declaring(tree, path, around)
        return ImportTarget(files, (Binding(line.alias or last, last, files),))
    takes_some = any(there != "*" for there, _ in line.names)
    return bound(files, line.names, line.alias or ("" if takes_some else last))


def _declaring(tree: PathTree, path: str, module: str) -> tuple[str, ...]:
    last = module.rpartition(".")[2]
    declared = tree.packages.files(module) or tree.packages.files(last)
    file = nearest(declared or tree.named(f"{last}.jl"), path)
    return (file,) if file else ()


JULIA: Final = Language(
    "julia",
    (".jl",),
    ("tree_sitter_julia", "language"),
    names=NameRules(
        bare_names="global",
        scope="folder",
        separate_folders=frozenset({"test"}),
        has_star_imports=True,
        has_transitive_imports=True,
        opens_namespaces=True,
    ),
    imports=ImportRules(find),
    has_strings_above=True,
    syntax=COMMON._replace(
        scopes=_SCOPES | {"comprehension_expression", "let_statement"},
        classes=frozenset({"struct_definition"}),
        declaring=dict.fromkeys((*_SCOPES, *_GIVING), frozenset({FIRST})),
        bounds={"for_binding": "for_statement"},
        wrapping=dict.fromkeys(_LISTS, frozenset({"*"}))
        | dict.fromkeys(("named_argument", "signature", "typed_expression"), frozenset({FIRST}))
        | {"call_expression": frozenset({LAST})},
        members={"field_expression": ("value", LAST), "scoped_identifier": ("", LAST)},
        through={"index_expression": "", "parametrized_type_expression": ""},
        calls={"call_expression": ""},
        self_words=frozenset(),
        super_words=frozenset(),
        parameter_lists=frozenset({"argument_list", "curly_expression"}),
        types={"typed_expression": LAST},
        values={"assignment": LAST, "let_binding": LAST},
    ),
)
