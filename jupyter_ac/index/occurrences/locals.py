"""Resolves local names of a file: parameters, and variables inside functions."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from tree_sitter import Node

from jupyter_ac.index.languages.syntax import FIRST, LAST, Fields, Syntax
from jupyter_ac.index.occurrences.receiver_types import is_child, text_of

_GIVING: Final = frozenset(
    {
        "let_declaration",
        "property_declaration",
        "short_var_declaration",
        "var_spec",
        "variable_declaration",
    }
)
_ASSIGNING: Final = frozenset({"assignment", "assignment_expression"})

_MOST_WRAPS: Final = 8
_MOST_AROUND: Final = 400


class Declared(NamedTuple):
    """A declaration of a local name.

    Attributes:
        name: the node of the name.
        declaring: the node that declares it.
        scope: the node inside of which it is known.
    """

    name: Node
    declaring: Node
    scope: Node


class Locals:
    """Local variables of one name in a file, or fields that methods assign to their object.

    Args:
        syntax: of the file.
        nodes: the places of the name, in order.
        fields: whether fields are meant.
    """

    def __init__(self, syntax: Syntax, nodes: Iterable[Node], *, fields: bool = False) -> None:
        self._fields = fields
        self._barriers = frozenset[str]() if fields else syntax.barriers
        self._syntax = syntax
        self._declared: dict[int, list[Declared]] = {}
        self._starts: dict[int, list[int]] = {}
        for node in nodes:
            found = self._declaration(node)
            if found is not None:
                self._declared.setdefault(found.scope.id, []).append(found)
                self._starts.setdefault(found.scope.id, []).append(node.start_byte)

    def of(self, node: Node) -> Declared | None:
        """Return the declaration that a place of the name means, None when it isn't local."""
        if not self._declared or not (self._fields or self._may_be_local(node)):
            return None
        for around in _around(node):
            rows = self._declared.get(around.id)
            found = self._chosen(rows, around, node) if rows else None
            if found is not None:
                return found
            if around.type in self._barriers:
                return None
        return None

    def _chosen(self, rows: Sequence[Declared], scope: Node, node: Node) -> Declared | None:
        """Return the last declaration before a place; the first where they are one variable."""
        if not self._syntax.may_redeclare:
            return rows[0]
        at = bisect_right(self._starts[scope.id], node.start_byte)
        # The value of `x := x` is another x.
        known = (row for row in reversed(rows[:at]) if not _is_value(node, row))
        return next(known, None)

    def _declaration(self, node: Node) -> Declared | None:
        if self._fields:
            return _field(self._syntax, node)
        declaring = _declaring(self._syntax, node)
        if declaring is None or not self._may_be_local(node):
            return None
        is_own = _is_parameter(self._syntax, node, declaring)
        scope = declaring if is_own else self._scope(declaring)
        return Declared(node, declaring, scope) if scope is not None else None

    def _may_be_local(self, node: Node) -> bool:
        """Tell whether a name is spelled like one of a variable."""
        variables = self._syntax.variables
        around = node.parent
        types = {node.type, around.type if around is not None else ""}
        if variables and variables.isdisjoint(types):
            return False
        return not (self._syntax.has_lower_variables and text_of(node)[:1].isupper())

    def _scope(self, declaring: Node) -> Node | None:
        words = self._syntax.local_words
        if words and not _is_declared_local(declaring, words):
            return _last(declaring)
        prototype, bound = None, self._syntax.bounds.get(declaring.type)
        for around in (declaring, *_around(declaring)):
            if around.type in self._syntax.scopes or around.type == bound:
                return around
            if around.type == "function_declarator":
                prototype = prototype or around
            if around.type in self._syntax.classes:
                return prototype
        return prototype


def _is_value(node: Node, declared: Declared) -> bool:
    """Tell whether a name stands in the value that a declaration of the same name gives."""
    around = (declared.declaring, declared.declaring.parent)
    if not declared.name.end_byte <= node.start_byte:
        return False
    return any(
        each is not None and each.type in _GIVING and node.start_byte < each.end_byte
        for each in around
    )


def _field(syntax: Syntax, node: Node) -> Declared | None:
    """Return the assignment that gives an object a field: `this.x = 1`, `@x = 1`."""
    member = node if node.type == "instance_variable" else node.parent
    given = member.parent if member is not None else None
    if member is None or given is None or given.type not in _ASSIGNING:
        return None
    left = given.child_by_field_name("left")
    if left is None or left.id != member.id:
        return None
    around = next((each for each in _around(given) if each.type in syntax.classes), None)
    return Declared(node, given, around or _last(given))


def _last(node: Node) -> Node:
    """Return the outermost node around another."""
    return next(reversed(list(_around(node))), node)


def _is_declared_local(declaring: Node, words: tuple[str, ...]) -> bool:
    """Tell whether a variable of a shell is one of its function alone."""
    command = declaring.parent
    return command is not None and (
        command.type == "declaration_command" and text_of(command).startswith(words)
    )


def _declaring(syntax: Syntax, node: Node) -> Node | None:
    """Return the node that declares a name, None when the name is only used."""
    parent = node.parent
    for _ in range(_MOST_WRAPS):
        if parent is None:
            return None
        if _stands_in(node, parent, syntax.declaring) and _assigns(
            syntax, parent, _role(node, parent)
        ):
            return None if _is_member(syntax, parent) else parent
        if not _stands_in(node, parent, syntax.wrapping):
            return None
        node, parent = parent, parent.parent
    return None


def _assigns(syntax: Syntax, declaring: Node, role: str) -> bool:
    """Tell whether the operator of a node, if it has one, gives the name in a field a value."""
    operator = declaring.child_by_field_name("operator") if syntax.assigning else None
    return operator is None or syntax.assigning.get(operator.type) == role


def _is_member(syntax: Syntax, declaring: Node) -> bool:
    """Tell whether a node declares a member of a class, though it looks like a local name."""
    if declaring.parent is not None and declaring.parent.type == "field_declaration":
        return True
    words = syntax.member_words
    return bool(words) and any(child.type in words for child in declaring.children)


def _is_parameter(syntax: Syntax, node: Node, declaring: Node) -> bool:
    """Tell whether a declared name is a parameter of what the declaring node defines."""
    if not syntax.parameter_lists:
        return False
    inner = takewhile(lambda around: around.id != declaring.id, _around(node))
    return any(around.type in syntax.parameter_lists for around in inner)


def _stands_in(node: Node, parent: Node, table: Fields) -> bool:
    """Tell whether a node stands in one of the fields that a table has for its parent."""
    fields = table.get(parent.type)
    if fields is None:
        return False
    role = _role(node, parent)
    if role:
        return role in fields
    if "*" in fields:
        return True
    is_first = FIRST in fields and is_child(node, parent, "")
    return is_first or (LAST in fields and is_child(node, parent, LAST))


def _role(node: Node, parent: Node) -> str:
    """Return the field of a parent that a node stands in, "" for none."""
    for at, child in enumerate(parent.children):
        if child.id == node.id:
            return parent.field_name_for_child(at) or ""
    return ""


def _around(node: Node) -> Iterator[Node]:
    around = node.parent
    for _ in range(_MOST_AROUND):
        if around is None:
            return
        yield around
        around = around.parent
