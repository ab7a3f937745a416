"""Scala 2 and 3; imports out of the packages that files declare."""

import re
from typing import Final

from jupyter_ac.index.languages import package_imports
from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.syntax import COMMON, FIRST
from jupyter_ac.index.project.import_target import ImportTarget
from jupyter_ac.index.project.path_tree import PathTree
from jupyter_ac.index.records import Import

_ENDINGS: Final = (".scala", ".java")
_SUPER: Final = re.compile(r"(?:\w{1,99}\.)?super(?:\[\w{1,99}\])?")
_SCOPES: Final = (
    *("block", "case_clause", "for_expression", "function_declaration", "function_definition"),
    *("indented_block", "lambda_expression", "extension_definition"),
)


def find(tree: PathTree, path: str, line: Import) -> ImportTarget:
    """Return what an import makes known."""
    return package_imports.find(tree, path, line, _ENDINGS, is_relative=True)


SCALA: Final = Language(
    "scala",
    (".scala", ".sc", ".sbt"),
    ("tree_sitter_scala", "language"),
    reading=Reading(packages_add_up=True, is_super=_SUPER.fullmatch),
    names=NameRules(
        self_names=("this",),
        bare_names="shared",
        scope="package",
        platform="jvm",
        has_relative_imports=True,
        has_partial_classes=True,
        has_bare_members=True,
    ),
    imports=ImportRules(find),
    syntax=COMMON._replace(
        scopes=frozenset(_SCOPES),
        classes=COMMON.classes | {"enum_body", "template_body", "with_template_body"},
        declaring={
            "binding": frozenset({"name"}),
            "case_clause": frozenset({"pattern"}),
            "enumerator": frozenset({FIRST}),
            "lambda_expression": frozenset({"parameters"}),
            "parameter": frozenset({"name"}),
            "val_definition": frozenset({"pattern"}),
            "var_definition": frozenset({"pattern"}),
        },
        wrapping={
            "alternative_pattern": frozenset({"*"}),
            "capture_pattern": frozenset({"name", "pattern"}),
            "case_class_pattern": frozenset({"pattern"}),
            "infix_pattern": frozenset({"left", "right"}),
            "tuple_pattern": frozenset({"*"}),
            "typed_pattern": frozenset({"pattern"}),
        },
        making={"instance_expression": ""},
        has_lower_variables=True,
    ),
)
