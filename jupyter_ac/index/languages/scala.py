"""Scala 2 and 3; imports out of the packages that files declare."""

from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.package_imports import find
from jupyter_ac.index.languages.syntax import COMMON, FIRST

_SCOPES: Final = (
    *("block", "case_clause", "for_expression", "function_declaration", "function_definition"),
    *("indented_block", "lambda_expression", "extension_definition"),
)

SCALA: Final = Language(
    "scala",
    (".scala", ".sc", ".sbt"),
    ("tree_sitter_scala", "language"),
    reading=Reading(packages_add_up=True),
    names=NameRules(
        self_names=("this",),
        bare_names="shared",
        scope="package",
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
