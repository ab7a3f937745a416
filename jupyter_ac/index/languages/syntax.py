"""Tables of node types: how the grammars represent names, scopes, declarations and members.

Grammars mostly use the same node types for the same constructs, so that one table, `COMMON`, fits
them. A language whose grammar uses another type overrides the table in its own module.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

FIRST: Final = "^"
LAST: Final = "$"
"""Stand for the first and the last named child, in grammars that have no field for it."""

Fields = Mapping[str, frozenset[str]]
"""Types of nodes, each with the fields that matter.

`*` stands for each child without a field, `FIRST` and `LAST` for one of them.
"""


class Syntax(NamedTuple):
    """Types of nodes by their role.

    Attributes:
        names: leaves that are names; comments and strings have others.
        text: leaves that hold names but aren't parsed, such as the text of a macro.
        scopes: what a local name is bounded by.
        bounds: declaring nodes, with the node around them that bounds the names they declare, where
            it is no scope of others.
        barriers: scopes that hide the local names outside of them from what is inside.
        classes: what ends the search for the scope of a declaration: members are no local names.
        declaring: nodes that declare a local name, with the fields that hold it.
        assigning: operators of nodes of `declaring`, with the field that they assign to; other
            operators, and fields, declare nothing. Empty where such nodes have no operators.
        wrapping: nodes between a declared name and what declares it, with the fields that lead to
            the name.
        members: nodes that take a member off something: the fields of the object, and of the
            member; of several fields the first that is there.
        member_wraps: the node around the name of a member, by what takes the member off.
        keys: nodes that name a member without an object, with the field of the name.
        through: nodes that have the value of what stands in a field of theirs; "" for the first.
        calls: calls, with the field of what is called.
        making: nodes whose type is written in a field of theirs.
        types: nodes that declare a name, with the field of its type where that isn't `type`.
        values: nodes that give a name its value, with the field of that where it isn't `value`.
        variables: types of which a local variable's name, or the node around it, is; none for any.
        self_words: words, and nodes of this type, for the object that a method belongs to.
        super_words: the same for what its class extends.
        local_words: with which a local variable is declared where others are global; none where
            every variable in a function is local.
        member_words: with which a declaring node declares a member of a class, and no local name.
        parameter_lists: what parameters stand in where a function is declared by an assignment;
            they are known in the declaring node only.
        may_redeclare: whether a name may be declared twice in one scope.
        has_lower_variables: whether a variable never begins with a capital.
    """

    names: frozenset[str]
    text: frozenset[str]
    scopes: frozenset[str]
    barriers: frozenset[str]
    classes: frozenset[str]
    declaring: Fields
    wrapping: Fields
    members: Mapping[str, tuple[str, str]]
    keys: Mapping[str, str]
    through: Mapping[str, str]
    calls: Mapping[str, str]
    making: Mapping[str, str]
    assigning: Mapping[str, str] = MappingProxyType({})
    member_wraps: Mapping[str, str] = MappingProxyType({})
    variables: frozenset[str] = frozenset()
    self_words: frozenset[str] = frozenset({"this", "self"})
    super_words: frozenset[str] = frozenset({"super"})
    local_words: tuple[str, ...] = ()
    bounds: Mapping[str, str] = MappingProxyType({})
    member_words: frozenset[str] = frozenset()
    parameter_lists: frozenset[str] = frozenset()
    types: Mapping[str, str] = MappingProxyType({})
    values: Mapping[str, str] = MappingProxyType({})
    may_redeclare: bool = False
    has_lower_variables: bool = False


def kinds(words: str) -> frozenset[str]:
    """Return the types of nodes that a text lists, separated by blanks."""
    return frozenset(words.split())


_NAMES: Final = frozenset(
    {
        "identifier",
        "type_identifier",
        "field_identifier",
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "shorthand_field_identifier",
        "namespace_identifier",
        "package_identifier",
        "statement_identifier",
        "constant",
        "variable_name",
        "word",
        "instance_variable",
        "class_variable",
        "global_variable",
        "hash_key_symbol",
        "simple_symbol",
        "attribute_value",
        "class_name",
        "id_name",
        "property_name",
    }
)

_TEXT: Final = frozenset({"preproc_arg"})

_FUNCTIONS: Final = frozenset(
    {
        "arrow_function",
        "call_signature",
        "closure_expression",
        "compact_constructor_declaration",
        "constructor_declaration",
        "func_literal",
        "function_declaration",
        "function_definition",
        "function_expression",
        "function_item",
        "function_signature",
        "function_signature_item",
        "function_type",
        "generator_function",
        "generator_function_declaration",
        "lambda",
        "lambda_expression",
        "method",
        "method_declaration",
        "method_definition",
        "method_elem",
        "method_signature",
        "singleton_method",
    }
)
_BLOCKS: Final = frozenset(
    {
        "block",
        "catch_clause",
        "communication_case",
        "compound_statement",
        "default_case",
        "do_block",
        "enhanced_for_statement",
        "expression_case",
        "for_expression",
        "for_in_statement",
        "for_range_loop",
        "for_statement",
        "if_expression",
        "if_statement",
        "match_arm",
        "statement_block",
        "switch_block_statement_group",
        "switch_body",
        "try_with_resources_statement",
        "type_case",
        "type_switch_statement",
        "while_expression",
        "while_statement",
    }
)


_CLASSES: Final = frozenset(
    {
        "class",
        "class_body",
        "class_declaration",
        "class_definition",
        "class_specifier",
        "declaration_list",
        "field_declaration_list",
        "interface_body",
        "struct_specifier",
    }
)

_DECLARING: Final[Fields] = {
    kind: frozenset(fields.split())
    for kind, fields in {
        "arrow_function": "parameter",
        "assignment": "left",
        "block_parameter": "name",
        "block_parameters": "*",
        "catch_clause": "parameter",
        "catch_formal_parameter": "name",
        "closure_parameters": "*",
        "const_spec": "name",
        "declaration": "declarator",
        "default_parameter": "name",
        "enhanced_for_statement": "name",
        "exception_variable": "*",
        "for": "pattern",
        "for_expression": "pattern",
        "for_in_clause": "left",
        "for_in_statement": "left",
        "for_range_loop": "declarator",
        "for_statement": "left variable",
        "formal_parameter": "name",
        "formal_parameters": "*",
        "hash_splat_parameter": "name",
        "inferred_parameters": "*",
        "instanceof_expression": "name",
        "keyword_parameter": "name",
        "lambda_expression": "parameters",
        "lambda_parameters": "*",
        "let_condition": "pattern",
        "let_declaration": "pattern",
        "match_arm": "pattern",
        "method_parameters": "*",
        "named_expression": "name",
        "optional_parameter": "name pattern",
        "optional_parameter_declaration": "declarator",
        "parameter": "pattern",
        "parameter_declaration": "name declarator",
        "parameters": "*",
        "range_clause": "left",
        "receive_statement": "left",
        "required_parameter": "pattern",
        "resource": "name",
        "short_var_declaration": "left",
        "splat_parameter": "name",
        "type_parameter": "name *",
        "type_parameters": "*",
        "type_switch_statement": "alias",
        "typed_default_parameter": "name",
        "typed_parameter": "*",
        "var_spec": "name",
        "variable_assignment": "name",
        "variable_declarator": "name",
        "variadic_parameter_declaration": "name declarator",
    }.items()
}

_WRAPPING: Final[Fields] = {
    kind: frozenset(fields.split())
    for kind, fields in {
        "array_declarator": "declarator",
        "array_pattern": "*",
        "as_pattern_target": "*",
        "assignment_pattern": "left",
        "captured_pattern": "*",
        "dictionary_splat_pattern": "*",
        "expression_list": "*",
        "field_pattern": "name pattern *",
        "init_declarator": "declarator",
        "left_assignment_list": "*",
        "list_pattern": "*",
        "list_splat_pattern": "*",
        "match_pattern": "*",
        "mut_pattern": "*",
        "object_assignment_pattern": "left",
        "object_pattern": "*",
        "or_pattern": "*",
        "pair_pattern": "value",
        "pattern_list": "*",
        "pointer_declarator": "declarator *",
        "ref_pattern": "*",
        "reference_declarator": "*",
        "reference_pattern": "*",
        "rest_pattern": "*",
        "slice_pattern": "*",
        "struct_pattern": "*",
        "structured_binding_declarator": "*",
        "tuple_pattern": "*",
        "tuple_struct_pattern": "*",
    }.items()
}

_MEMBERS: Final[Mapping[str, tuple[str, str]]] = {
    "attribute": ("object", "attribute"),
    "call": ("receiver", "method"),
    "field_access": ("object", "field"),
    "field_expression": ("argument value", "field"),
    "member_expression": ("object", "property"),
    "method_invocation": ("object", "name"),
    "nested_type_identifier": ("module", "name"),
    "qualified_identifier": ("scope", "name"),
    "qualified_type": ("package", "name"),
    "scope_resolution": ("scope", "name"),
    "scoped_identifier": ("path scope", "name"),
    "scoped_type_identifier": ("path", "name"),
    "selector_expression": ("operand", "field"),
}

_KEYS: Final[Mapping[str, str]] = {
    "field_initializer": "field",
    "keyed_element": "key",
    "keyword_argument": "name",
    "pair": "key",
}

_THROUGH: Final[Mapping[str, str]] = {
    "as_expression": "",
    "await": "",
    "await_expression": "",
    "generic_function": "function",
    "index_expression": "operand",
    "non_null_expression": "",
    "parenthesized_expression": "",
    "pointer_expression": "argument",
    "reference_expression": "value",
    "satisfies_expression": "",
    "subscript_expression": "argument object",
    "template_function": "name",
    "template_method": "name",
    "template_type": "name",
    "try_expression": "",
    "unary_expression": "operand",
    "generic_type": "type",
}

_CALLS: Final[Mapping[str, str]] = {
    "call": "function",
    "call_expression": "function",
}
_MAKING: Final[Mapping[str, str]] = {
    "cast_expression": "type",
    "composite_literal": "type",
    "compound_literal_expression": "type",
    "new_expression": "constructor type",
    "object_creation_expression": "type",
    "struct_expression": "name",
    "type_assertion_expression": "type",
}

COMMON: Final = Syntax(
    names=_NAMES,
    text=_TEXT,
    scopes=_FUNCTIONS | _BLOCKS,
    barriers=frozenset(),
    classes=_CLASSES,
    declaring=_DECLARING,
    wrapping=_WRAPPING,
    members=_MEMBERS,
    keys=_KEYS,
    through=_THROUGH,
    calls=_CALLS,
    making=_MAKING,
)
"""The syntax of most grammars; a language replaces a field (`COMMON._replace`)."""
