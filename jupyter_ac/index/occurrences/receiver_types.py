"""Traces an expression to its origin: a root name and the members taken off it."""

import re
from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from jupyter_ac.index.languages.syntax import LAST, Syntax
from jupyter_ac.index.occurrences.occurrence import NOWHERE, SELF, SUPER, UNKNOWN, Origin

_WORD: Final = re.compile(r"[^\W\d]\w*")
_MOST_TYPES: Final = 6
_MOST_STEPS: Final = 12
_LONGEST: Final = 300
_NO_TYPES: Final = frozenset(
    {"auto", "var", "const", "mut", "dyn", "impl", "struct", "class", "enum", "static", "unsigned"}
)
_VALUES: Final = ("value", "right", "rhs")
_TYPES: Final = ("type", "return_type")

Local = Callable[[Node], Origin | None]
"""Gives the origin of what a bare name means when that is local, else None."""


def field(node: Node, names: str) -> Node | None:
    """Return the first of some fields that a node has; its first named child for no name."""
    if not names or names == LAST:
        at = 0 if not names else node.named_child_count - 1
        return node.named_children[at] if node.named_child_count else None
    name = next((name for name in names.split() if node.child_by_field_name(name)), "")
    found = node.child_by_field_name(name) if name else None
    if found is not None and not found.is_named:
        # A sign may stand in the field, too, as the first one of `\a\b`; words may be keywords.
        word = found if found.type.isidentifier() else None
        found = next((each for each in node.children_by_field_name(name) if each.is_named), word)
    return found


def text_of(node: Node) -> str:
    """Return what a node spans, cut when it is long."""
    return (node.text or b"")[:_LONGEST].decode("utf-8", "replace")


def is_child(node: Node, parent: Node, names: str) -> bool:
    """Tell whether a node is what stands in a field of another."""
    found = field(parent, names)
    return found is not None and found.id == node.id


def object_of(syntax: Syntax, node: Node) -> tuple[bool, Node | None]:
    """Return whether a name is taken off something, and off what; None for what isn't written."""
    parent = node.parent
    if (
        parent is not None
        and syntax.through.get(parent.type)
        and is_child(node, parent, "name function")
    ):
        node, parent = parent, parent.parent
    if parent is None:
        return False, None
    taking = parent.parent
    if taking is not None and syntax.member_wraps.get(taking.type) == parent.type:
        node, parent = parent, taking
    if parent.type == "token_tree":
        return _in_tokens(node)
    if parent.type == "literal_element" and parent.parent is not None:
        return _keyed(parent, parent.parent)
    if parent.type in syntax.keys and is_child(node, parent, syntax.keys[parent.type]):
        return True, None
    return _taken(syntax, node, parent)


def _taken(syntax: Syntax, node: Node, parent: Node) -> tuple[bool, Node | None]:
    before, name = syntax.members.get(parent.type, ("", ""))
    if not name or not is_child(node, parent, name):
        return False, None
    found = field(parent, before)
    # `f(x)` of Ruby and `f()` of Java are calls, too, of nothing.
    return found is not None, found


def _in_tokens(node: Node) -> tuple[bool, Node | None]:
    """Arguments of a Rust macro call are tokens: the grammar doesn't parse them."""
    access = node.prev_sibling
    if access is None or access.type not in {".", "::"}:
        return False, None
    return True, access.prev_sibling


def _keyed(element: Node, pair: Node) -> tuple[bool, Node | None]:
    """Go's `Type{Key: value}`."""
    if pair.type != "keyed_element" or not is_child(element, pair, "key"):
        return False, None
    literal = pair.parent.parent if pair.parent is not None else None
    return True, literal if literal is not None and literal.type == "composite_literal" else None


def origin_of(syntax: Syntax, node: Node | None, local: Local) -> Origin:
    """Return where the value of an expression comes from."""
    steps: list[str] = []
    for _ in range(_MOST_STEPS):
        if node is None:
            break
        if node.type in syntax.making:
            return _joined(_of_type(field(node, syntax.making[node.type])), steps)
        if node.type in syntax.through:
            node = field(node, syntax.through[node.type])
        elif (called := _called(syntax, node)) is not None:
            node = called
        elif (before := _object(syntax, node)) is not None:
            name = _member(syntax, node)
            known = local(name) if name is not None and _is_self(syntax, before) else None
            if known is not None and known.types and not known.steps:
                # What is assigned to a field says more than a declaration without a type.
                return _joined(known, steps)
            steps.append(text_of(name).partition("<")[0] if name is not None else "")
            node = before
        elif node.type in syntax.members:
            node = field(node, syntax.members[node.type][1])
        else:
            return _joined(_root(syntax, node, local), steps)
    return NOWHERE


def _called(syntax: Syntax, node: Node) -> Node | None:
    name = syntax.calls.get(node.type)
    return None if name is None else field(node, name)


def _object(syntax: Syntax, node: Node) -> Node | None:
    found = syntax.members.get(node.type)
    return None if found is None else field(node, found[0])


def _member(syntax: Syntax, node: Node) -> Node | None:
    """Return the name of the member that a node takes off something."""
    name = field(node, syntax.members[node.type][1])
    is_wrapped = name is not None and syntax.member_wraps.get(node.type) == name.type
    return field(name, LAST) if name is not None and is_wrapped else name


def declared_origin(syntax: Syntax, name: Node, declaring: Node, local: Local) -> Origin:
    """Return where the value of a local name comes from, by its declaration."""
    typed: Node | None = declaring
    for _ in range(2):
        found = _of_type(_type_in(syntax, typed, name)) if typed is not None else NOWHERE
        if found.types:
            return found
        typed = typed.parent if typed is not None and typed.type == "variable_declarator" else None
    at: Node | None = name
    while at is not None and at.type not in syntax.parameter_lists:
        if at.id != declaring.id and at.type in syntax.types:
            return _of_type(_type_in(syntax, at, name))
        value = _value_in(syntax, at)
        if value is not None:
            alone = value.type != "expression_list" or value.named_child_count == 1
            value = value.named_children[0] if value.type == "expression_list" and alone else value
            return origin_of(syntax, value, local) if value.id != name.id else NOWHERE
        if at.id == declaring.id and (at.parent is None or at.parent.type not in syntax.values):
            return NOWHERE
        at = at.parent
    return NOWHERE


def _value_in(syntax: Syntax, node: Node) -> Node | None:
    if node.type in syntax.values:
        return field(node, syntax.values[node.type])
    return next((found for each in _VALUES if (found := node.child_by_field_name(each))), None)


def _type_in(syntax: Syntax, node: Node, name: Node) -> Node | None:
    """Return the type that a node declares a name with."""
    if node.type in syntax.types:
        found = field(node, syntax.types[node.type])
        return found if found is not None and found.id != name.id else None
    return next((found for each in _TYPES if (found := node.child_by_field_name(each))), None)


def _of_type(node: Node | None) -> Origin:
    if node is None:
        return NOWHERE
    names = [word for word in _WORD.findall(text_of(node)) if word not in _NO_TYPES]
    return Origin(UNKNOWN, tuple(dict.fromkeys(names[:_MOST_TYPES])), ())


def _root(syntax: Syntax, node: Node, local: Local) -> Origin:
    if _is_self(syntax, node):
        return Origin(SELF, (), ())
    if _is_one_of(syntax, node, syntax.super_words):
        return Origin(SUPER, (), ())
    if node.type in {"instance_variable", "class_variable"}:
        return Origin(SELF, (), (text_of(node).lstrip("@"),))
    if node.type == "crate":
        return Origin(node.type, (), ())
    if node.type not in syntax.names:
        return NOWHERE
    known = local(node)
    return Origin(text_of(node), (), ()) if known is None else known


def _is_self(syntax: Syntax, node: Node) -> bool:
    return _is_one_of(syntax, node, syntax.self_words | {"cls"})


def _is_one_of(syntax: Syntax, node: Node, words: frozenset[str]) -> bool:
    is_word = node.type in syntax.names or node.type in syntax.variables
    return node.type in words or (is_word and text_of(node) in words)


def _joined(origin: Origin, backwards: list[str]) -> Origin:
    if not origin.root and not origin.types:
        return NOWHERE
    return origin._replace(steps=(*origin.steps, *reversed(backwards)))
