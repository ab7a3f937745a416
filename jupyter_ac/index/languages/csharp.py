"""C#; `using` of namespaces, wherever the files are that declare them."""

from typing import Final

from jupyter_ac.index.languages.language import ImportRules, Language, NameRules, Reading
from jupyter_ac.index.languages.package_imports import find
from jupyter_ac.index.languages.syntax import COMMON, kinds

_SCOPES: Final = kinds(
    """
    accessor_declaration anonymous_method_expression block catch_clause
    constructor_declaration destructor_declaration for_statement foreach_statement
    if_statement indexer_declaration lambda_expression local_function_statement
    method_declaration operator_declaration query_expression switch_body
    switch_expression_arm switch_section using_statement while_statement
    """
)
_NAMING: Final = kinds(
    """
    catch_declaration declaration_expression declaration_pattern from_clause
    local_function_statement parameter parameter_list recursive_pattern type_parameter var_pattern
    """
)
"""Types of nodes that declare what their field `name` holds."""

CSHARP: Final = Language(
    "csharp",
    (".cs", ".csx"),
    ("tree_sitter_c_sharp", "language"),
    reading=Reading(order="name last", separators=("?.", "->", "::")),
    names=NameRules(
        self_names=("this",),
        bare_names="shared",
        scope="package",
        sees_outer_packages=True,
        has_partial_classes=True,
        has_bare_members=True,
    ),
    imports=ImportRules(find),
    syntax=COMMON._replace(
        scopes=_SCOPES,
        classes=COMMON.classes
        | {"enum_member_declaration_list", "record_declaration", "struct_declaration"},
        declaring={
            **COMMON.declaring,
            **dict.fromkeys(_NAMING, frozenset({"name"})),
            "foreach_statement": frozenset({"left"}),
            "implicit_parameter": frozenset({""}),
            "let_clause": frozenset({"*"}),
            "variable_declarator": frozenset({"name", "*"}),
        },
        wrapping={"tuple_pattern": frozenset({"name", "*"})},
        members={
            "member_access_expression": ("expression", "name"),
            "qualified_name": ("qualifier", "name"),
        },
        keys={"argument": "name", "member_binding_expression": "name"},
        through={
            **COMMON.through,
            "conditional_access_expression": "condition",
            "element_access_expression": "expression",
            "generic_name": "",
            "nullable_type": "type",
            "array_type": "type",
        },
        calls={"invocation_expression": "function"},
        names=COMMON.names | {"implicit_parameter"},
        super_words=frozenset({"base"}),
    ),
)
