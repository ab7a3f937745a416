"""Finds the syntax errors of JSON, YAML, TOML and Python with their own parsers.

Only in the `syntax` worker: hostile code can exhaust a parser's stack, memory and time. Nothing is
executed, and no value is built of YAML: its aliases aren't expanded, its tags mean nothing.
"""

import ast
import json
import platform
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import yaml

from jupyter_ac.planner.validation.diagnostics import Diagnostic, syntax_error

_TOO_DEEP: Final = "The code is nested too deep."
_YAML: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONSTANT: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|(NaN|-?Infinity)', re.DOTALL)
_AT_END: Final = "(at end of document)"


class DataParser(NamedTuple):
    """A parser of one language.

    Attributes:
        find: returns the first syntax error; None for none.
        tool: its name.
        version: of the tool.
    """

    find: Callable[[str], Diagnostic | None]
    tool: str
    version: str


def json_error(text: str) -> Diagnostic | None:
    """Return the first syntax error of a JSON text, after RFC 8259: NaN is none of its values."""
    try:
        json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        return syntax_error(error.msg, error.lineno, error.colno)
    except _ConstantError as error:
        return syntax_error(str(error), *_constant_place(text))
    except ValueError as error:  # a number with too many digits
        return syntax_error(str(error))
    except RecursionError:
        return syntax_error(_TOO_DEEP)
    return None


def yaml_error(text: str) -> Diagnostic | None:
    """Return the first syntax error of a YAML text, which may hold several documents."""
    try:
        for _ in yaml.compose_all(text, Loader=_YAML):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = error.problem or error.context or "invalid YAML"
        return syntax_error(message, *((mark.line + 1, mark.column + 1) if mark else ()))
    except yaml.YAMLError as error:
        return syntax_error(str(error).splitlines()[0] if str(error) else "invalid YAML")
    except RecursionError:
        return syntax_error(_TOO_DEEP)
    return None


def toml_error(text: str) -> Diagnostic | None:
    """Return the first syntax error of a TOML text."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        if message.endswith(_AT_END):
            lines = text.split("\n")
            return syntax_error(message, len(lines), len(lines[-1]) + 1)
        _, _, place = message.rpartition("(at line ")
        line, _, column = place.rstrip(")").partition(", column ")
        if not (line.isdecimal() and column.isdecimal()):
            return syntax_error(message)
        return syntax_error(message, int(line), int(column))
    except RecursionError:
        return syntax_error(_TOO_DEEP)
    return None


def python_error(text: str) -> Diagnostic | None:
    """Return the first syntax error of Python; `await` may stand at top level, as in cells."""
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        compile(text, "<code>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return syntax_error(error.msg, error.lineno or 1, error.offset or 1)
    except (RecursionError, MemoryError):
        return syntax_error(_TOO_DEEP)
    except ValueError as error:  # null bytes, lone surrogates
        return syntax_error(str(error))
    return None


class _ConstantError(ValueError):
    """A JSON text has a constant that JSON doesn't know."""


def _refuse_constant(name: str) -> object:
    raise _ConstantError(f"{name} is no value of JSON")


def _constant_place(text: str) -> tuple[int, int]:
    """Return line and column of the first constant outside of strings."""
    for found in _CONSTANT.finditer(text):
        if found[1]:
            line_start = text.rfind("\n", 0, found.start()) + 1
            return text.count("\n", 0, found.start()) + 1, found.start() - line_start + 1
    return 1, 1


PARSERS: Final[Mapping[str, DataParser]] = {
    "json": DataParser(json_error, "json", platform.python_version()),
    "yaml": DataParser(yaml_error, "pyyaml", yaml.__version__),
    "toml": DataParser(toml_error, "tomllib", platform.python_version()),
    "python": DataParser(python_error, "python", platform.python_version()),
}
"""By the names that languages have in the index."""
