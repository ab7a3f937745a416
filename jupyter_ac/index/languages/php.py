"""PHP; `use` by the namespaces that files declare, `require` and `include` by paths."""

import re
from typing import Final

from jupyter_ac.index.languages import package_imports, path_imports
from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.syntax import COMMON, FIRST, LAST, kinds
from jupyter_ac.index.project.import_target import ImportTarget
from jupyter_ac.index.project.path_tree import PathTree
from jupyter_ac.index.records import Import

_QUOTES: Final = re.compile(r"[\"']")
_VARIABLE: Final = re.compile(r"^\{?\$[^/]*/")
_SEPARATORS: Final = ("::$", "?->", "->", "::", "\\")
_SELF: Final = ("this", "self", "static")
_FUNCTIONS: Final = kinds("function_definition method_declaration")
_MEMBERS: Final = kinds("member_access_expression member_call_expression")
_THROUGH: Final = kinds("clone_expression parenthesized_expression subscript_expression")
_LEFT: Final = kinds("left")


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return the file that is required, or what is taken out of a namespace."""
    if any(mark in line.module for mark in "./\"'"):
        return path_imports.find(tree, path, line._replace(module=_required(line.module)))
    return package_imports.find(tree, path, line)


def _required(expression: str) -> str:
    """Return the path in an expression such as `dirname(__DIR__) . '/a.php'`."""
    parts = [part.strip("() \t\r\n") for part in _QUOTES.split(expression)]
    *starts, name = filter(None, parts) if any(parts) else [""]
    start = " ".join(starts)
    if "__DIR__" in start or "__FILE__" in start:
        levels = re.search(r",\s*(\d)", start)
        up = int(levels[1]) if levels else start.count("dirname")
        return "./" + "../" * (up - ("__FILE__" in start)) + name.lstrip("/")
    # A variable or a constant stands for an unknown folder.
    return f"$_/{_VARIABLE.sub('', name).lstrip('/')}" if start or _VARIABLE.match(name) else name


PHP: Final = Language(
    "php",
    (".php", ".phtml", ".inc"),
    ("tree_sitter_php", "language_php"),
    cells_grammar=("tree_sitter_php", "language_php_only"),
    reading=Reading(order="name last", separators=_SEPARATORS, package_separator="\\"),
    names=NameRules(_SELF, bare_names="shared", scope="package", sees_unnamed_package=True),
    imports=ImportRules(find),
    syntax=COMMON._replace(
        names=kinds("name relative_scope"),
        scopes=_FUNCTIONS | kinds("anonymous_function arrow_function property_hook"),
        # A closure's `use` names what is around it.
        barriers=_FUNCTIONS,
        classes=COMMON.classes | {"enum_declaration_list"},
        declaring={
            **dict.fromkeys(kinds("assignment_expression reference_assignment_expression"), _LEFT),
            **dict.fromkeys(kinds("catch_clause property_promotion_parameter"), kinds("name")),
            **dict.fromkeys(kinds("simple_parameter variadic_parameter"), kinds("name")),
            "foreach_statement": kinds("*"),
            "static_variable_declaration": kinds("name"),
        },
        wrapping={
            **dict.fromkeys(("by_ref", "list_literal", "pair", "variable_name"), kinds("*")),
            "subscript_expression": kinds(FIRST),
        },
        members={
            "class_constant_access_expression": ("", LAST),
            **dict.fromkeys(_MEMBERS, ("object", "name")),
            **{f"nullsafe_{member}": ("object", "name") for member in _MEMBERS},
            "qualified_name": ("prefix", LAST),
            "scoped_call_expression": ("scope", "name"),
            "scoped_property_access_expression": ("scope", "name"),
        },
        member_wraps={"scoped_property_access_expression": "variable_name"},
        keys={"argument": "name"},
        through={**dict.fromkeys(_THROUGH, ""), "namespace_name": LAST, "variable_name": LAST},
        calls={"function_call_expression": "function"},
        making={"object_creation_expression": ""},
        variables=kinds("variable_name"),
        self_words=kinds("$this self static this"),
        super_words=kinds("parent"),
    ),
)
