"""Finds all regular expressions of the package, and creates worst-case texts for them."""

import ast
import importlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from tests.meta.sources import PACKAGE, ROOT, product

_FUNCTIONS: Final = frozenset(
    ("compile", "match", "fullmatch", "search", "split", "sub", "subn", "findall", "finditer")
)
_LONGEST_UNIT: Final = 2000
_SAMPLE: Final = "name"
"""Stands for what an expression takes from its surroundings by `re.escape` or a local variable."""

AnyPattern: TypeAlias = re.Pattern[str] | re.Pattern[bytes]

_PARSER: Final = importlib.import_module("re._parser")

COMMON: Final = (
    *(
        "\n",
        " ",
        "\t",
        "\r\n",
        "a",
        "A",
        "0",
        "_",
        "é",
        "\0",
        "`",
        "```",
        "~~~",
        "<",
        "</",
        "<think>",
    ),
    *(
        "<!--",
        "[",
        "](",
        "(",
        "{",
        '"',
        "'",
        "\\",
        '\\"',
        "*",
        "**",
        "/",
        "a/",
        "../",
        ".",
        "a.",
        "-",
    ),
    *("#", "# ", "=", ":", "::", ",", ";", "$", "@", "|", "!", "!["),
    *(
        "a ",
        "\na",
        "a\n",
        "--\n",
        "`\n",
        "🟧🟧🟧 EDIT\n",
        "«««",
        "-----BEGIN ",
        "http://",
        "key=",
        "\x1b[",
    ),
)
"""What a hostile text repeats, whatever the expression."""


@dataclass(frozen=True)
class Use:
    """One expression and how it is applied.

    Attributes:
        place: file and line.
        pattern: the compiled expression.
        method: "match" or "fullmatch" where it is tried at one place only, "matches" where
            each match begins at the end of the one before; else "finditer".
    """

    place: str
    pattern: AnyPattern
    method: str


@cache
def uses() -> list[Use]:
    """Return every expression of the package.

    Raises:
        ValueError: one can't be read off: it is neither written where it is compiled nor in a
            table of its module.
    """
    return [use for source in product() for use in _of_module(source.path, source.tree)]


def _of_module(path: Path, tree: ast.Module) -> Iterator[Use]:
    calls = [node for node in ast.walk(tree) if _is_expression(node)]
    if not calls:
        return
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    known = vars(importlib.import_module(name))
    names = {value: target for node in ast.walk(tree) for value, target in _targets(node)}
    for call in calls:
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Attribute)
        place = f"{path.relative_to(PACKAGE)}:{call.lineno}"
        target = names.get(id(call), "")
        pattern = known.get(target)
        if isinstance(pattern, re.Pattern):
            place = f"{path.relative_to(PACKAGE)}:{target}"
        elif _is_read_off(call, known):
            pattern = _compiled(call, known)
        elif tabled := list(_in_tables(known)):
            method = _method_of_locals(tree, known)
            yield from (Use(place, each, method) for each in tabled)
            continue
        else:
            raise ValueError(f"{place}: the expression is neither written there nor in a table.")
        is_compiled = call.func.attr == "compile"
        yield Use(place, pattern, _method(tree, target) if is_compiled else _only(call.func.attr))


def _is_read_off(call: ast.Call, known: dict[str, object]) -> bool:
    written = call.args[0]
    is_name = isinstance(written, ast.Name | ast.Attribute)
    return not is_name or _text_of(written, known) != _SAMPLE


def _in_tables(known: dict[str, object]) -> Iterator[AnyPattern]:
    """Yield the expressions in a module's lists, tuples and mappings."""
    todo = [value for value in known.values() if isinstance(value, list | tuple | dict)]
    for value in todo:
        for each in value.values() if isinstance(value, dict) else value:
            if isinstance(each, re.Pattern):
                yield each
            elif isinstance(each, list | tuple) and len(todo) < _LONGEST_UNIT:
                todo.append(each)


def _method_of_locals(tree: ast.Module, known: dict[str, object]) -> str:
    """Return how the expressions of tables are applied, which only local variables name."""
    called = {
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id not in known
        and node.func.attr in _FUNCTIONS
    }
    return _only(called.pop()) if len(called) == 1 else "finditer"


def _compiled(call: ast.Call, known: dict[str, object]) -> AnyPattern:
    written = call.args[0]
    flags = re.NOFLAG
    given = [*call.args[1:], *(word.value for word in call.keywords)]
    for node in (inner for each in given for inner in ast.walk(each)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            flags |= getattr(re, node.attr) if node.value.id == "re" else re.NOFLAG
    source = _text_of(written, known)
    return re.compile(source, flags)


def _is_expression(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in _FUNCTIONS
    )


def _targets(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the identities of what is assigned, each with the name that it gets."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
        yield id(node.value), node.target.id
    elif isinstance(node, ast.Assign):
        names = (target.id for target in node.targets if isinstance(target, ast.Name))
        yield from ((id(node.value), name) for name in names)


def _method(tree: ast.Module, name: str) -> str:
    """Return how a named expression is applied; "finditer" unless it is at one place only."""
    if not name.startswith("_"):
        return "finditer"
    found: set[str] = set()
    called = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    inside = {id(n.value): n for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            attribute = inside.get(id(node))
            call = called.get(id(attribute))
            method = "finditer" if attribute is None else attribute.attr
            # With a position it is applied again and again to one text.
            found.add("matches" if method == "match" and call and len(call.args) > 1 else method)
    found -= {"pattern", "flags"}
    if len(found) == 1:
        return _only(found.pop())
    return "matches" if found and found <= {"match", "fullmatch", "matches"} else "finditer"


def _only(method: str) -> str:
    return method if method in {"match", "fullmatch", "matches"} else "finditer"


def _text_of(node: ast.expr, known: dict[str, object]) -> str | bytes:
    """Return an expression's text; what only a function knows is replaced by a sample."""
    found: object = None
    if isinstance(node, ast.Constant):
        found = node.value
    elif isinstance(node, ast.Name):
        found = known.get(node.id)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        named = known.get(node.value.id)
        found = named.pattern if isinstance(named, re.Pattern) else None
    elif isinstance(node, ast.JoinedStr):
        found = _joined([_text_of(part, known) for part in node.values])
    elif isinstance(node, ast.FormattedValue):
        found = _text_of(node.value, known)
    elif isinstance(node, ast.BinOp):
        found = _joined([_text_of(node.left, known), _text_of(node.right, known)])
    return found if isinstance(found, str | bytes) else _SAMPLE


def _joined(parts: Sequence[str | bytes]) -> str | bytes:
    if any(isinstance(part, bytes) for part in parts):
        return b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    return "".join(map(str, parts))


def attacks(pattern: AnyPattern) -> list[tuple[str, str, str]]:
    """Return what texts begin with, repeat and end with, worked out from the expression itself."""
    parsed = _PARSER.parse(pattern.pattern, pattern.flags & ~re.UNICODE & ~re.DEBUG)
    found = dict.fromkeys(("", each, "\x01") for each in COMMON)
    found |= dict.fromkeys(("", f"runs:{sign}", "") for sign in RUNS)
    for start, unit in _units(parsed):
        for end in ENDS:
            found.setdefault(("", unit, end))
            found.setdefault((start, unit, end))
    return [attack for attack in found if attack[1]]


def _units(parsed: Sequence[tuple[object, object]]) -> Iterator[tuple[str, str]]:
    """Yield, for each part of a sequence, what leads to it and what it repeats."""
    items = list(parsed)
    whole = ""
    for at, item in enumerate(items):
        for inner in _inner(item):
            yield from ((whole + lead, unit) for lead, unit in _units(inner))
            yield whole, _text(inner)
        own = _text(items[at : at + 1])
        yield whole, own
        if (most := _most(item)) > 1:
            yield "", whole + own * most
        if at + 1 < len(items):
            yield whole, own + _text(items[at + 1 : at + 2])
        whole += own
        yield "", whole
        yield "", f"{whole} "


def _most(item: tuple[object, object]) -> int:
    """Return how often a bounded repetition may repeat, 1 for all else."""
    value = item[1]
    most = value[1] if str(item[0]).endswith("REPEAT") and isinstance(value, tuple) else 1
    return most if isinstance(most, int) and most <= _LONGEST_UNIT else 1


def _inner(item: tuple[object, object]) -> Iterator[Sequence[tuple[object, object]]]:
    """Yield the sequences within one part of an expression."""
    name, value = str(item[0]), item[1]
    if isinstance(value, _PARSER.SubPattern):
        yield value
    elif name == "BRANCH" and isinstance(value, tuple):
        yield from value[1]
    elif isinstance(value, tuple):
        yield from (part for part in value if isinstance(part, _PARSER.SubPattern))


@cache
def _in_class(items: tuple[tuple[str, object], ...]) -> str:
    inner = "".join(_class_item(item) for item in items if str(item[0]) != "NEGATE")
    is_negated = any(str(name) == "NEGATE" for name, _ in items)
    if not is_negated:
        return inner[:1] or "a"
    return next((sign for sign in "a 0\n-<" if sign not in inner), "ü")


def _class_item(item: tuple[object, object]) -> str:
    name, value = str(item[0]), item[1]
    if name == "LITERAL" and isinstance(value, int):
        return chr(value)
    if name == "RANGE" and isinstance(value, tuple):
        return "".join(map(chr, range(value[0], min(value[1], value[0] + 300) + 1)))
    kinds = {"SPACE": " \n\t", "DIGIT": "0123456789", "WORD": "a0_", "NOT_SPACE": "a<"}
    return next(
        (text for kind, text in kinds.items() if str(value).endswith(f"CATEGORY_{kind}")), "a<"
    )


def _text(parsed: Sequence[tuple[object, object]]) -> str:
    """Return a short text that a sequence is likely to match."""
    return "".join(_part(item) for item in parsed)


def _part(item: tuple[object, object]) -> str:
    name, value = str(item[0]), item[1]
    found = ""
    if name in {"LITERAL", "NOT_LITERAL"} and isinstance(value, int):
        other = "b" if value == ord("a") else "a"
        found = chr(value) if name == "LITERAL" else other
    elif name == "ANY":
        found = "a"
    elif name == "IN" and isinstance(value, list):
        found = _in_class(tuple((str(kind), each) for kind, each in value))
    elif name.endswith("REPEAT") and isinstance(value, tuple):
        found = _text(value[2]) * max(1, min(value[0], 1000))
    elif name not in {"ASSERT", "ASSERT_NOT", "AT", "GROUPREF"}:
        found = _text(next(_inner(item), ()))
    return found


ENDS: Final = ("\x01", "1", "")
"""What hostile texts end with, so that what has begun well fails in the end."""

RUNS: Final = "`*_~-=#"


def runs_of(sign: str, size: int) -> str:
    """Return runs of a sign of which each is longer than the one before."""
    found: list[str] = []
    length = 0
    while length < size:
        found.append(sign * (len(found) + 1))
        length += len(found) + 1
    return "a".join(found)


def sized(pattern: AnyPattern, attack: tuple[str, str, str], size: int) -> str | bytes:
    """Return a text of about this size that nearly matches."""
    start, unit, end = attack
    is_runs = unit.startswith("runs:")
    repeated = runs_of(unit[5:], size) if is_runs else unit * max(1, size // len(unit))
    text = f"{start}{repeated}{end}"
    return text if isinstance(pattern.pattern, str) else text.encode("utf-8", "surrogatepass")
