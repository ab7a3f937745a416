"""Kotlin; imports out of the packages that files declare."""

import re
from typing import Final

from jupyter_ac.index.languages import package_imports
from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.syntax import COMMON, LAST, kinds
from jupyter_ac.index.project.import_target import ImportTarget
from jupyter_ac.index.project.path_tree import PathTree
from jupyter_ac.index.records import Import

_ENDINGS: Final = (".kt", ".java")
_SUPER: Final = re.compile(r"super(?:<[^<>]{1,99}>)?(?:@\w{1,99})?")
_SCOPES: Final = (
    *("anonymous_function", "block", "catch_block", "class_declaration", "for_statement", "getter"),
    *("function_declaration", "lambda_literal", "secondary_constructor", "setter", "type_alias"),
    *("when_entry", "when_expression"),
)
_DECLARING: Final = kinds(
    "catch_block class_parameter parameter setter type_parameter variable_declaration"
)


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return what an import makes known; what is in a companion belongs to the class around it."""
    module = line.module.replace(".Companion.", ".").removesuffix(".Companion")
    return package_imports.find(tree, path, line._replace(module=module), _ENDINGS)


KOTLIN: Final = Language(
    "kotlin",
    (".kt", ".kts"),
    ("tree_sitter_kotlin", "language"),
    reading=Reading(separators=("!!.", "?.", "::"), is_super=_SUPER.fullmatch),
    names=NameRules(
        self_names=("this",),
        bare_names="shared",
        scope="package",
        platform="jvm",
        has_bare_members=True,
    ),
    imports=ImportRules(find),
    syntax=COMMON._replace(
        scopes=frozenset(_SCOPES),
        classes=COMMON.classes | {"enum_class_body"},
        declaring=dict.fromkeys(_DECLARING, frozenset({"*"})),
        member_words=frozenset({"val", "var"}),
        wrapping={},
        members={"navigation_expression": ("", LAST)},
        keys={},
        through={"index_expression": "", "unary_expression": "argument"},
        calls={"call_expression": ""},
        making={"as_expression": "right"},
        types={"class_parameter": LAST, "parameter": LAST, "variable_declaration": LAST},
        values={"property_declaration": LAST},
        self_words=frozenset({"this_expression"}),
        super_words=frozenset({"super", "super_expression"}),
        may_redeclare=True,
    ),
)
