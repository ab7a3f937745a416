"""Modules, functions and classes stay small (CONTRIBUTING.md, "Size").

One test for each rule rather than for each rule and module: thousands of tests would take longer to
be told of than to run.
"""

import ast
from collections.abc import Iterator

from tests.meta.sources import classes, functions, product

MODULE_LINES = 400
FUNCTION_LINES = 60
PUBLIC_METHODS = 10
CONSTRUCTOR_PARAMETERS = 6
LEFTOVERS = {"utils", "util", "helpers", "common", "misc", "manager"}


def test_a_module_fits_in_400_lines() -> None:
    lines = {source.name: source.text.count("\n") for source in product()}
    assert {name: count for name, count in lines.items() if count > MODULE_LINES} == {}


def test_a_function_fits_in_60_lines() -> None:
    lines = {
        (source.name, function.name, function.lineno): _lines(function)
        for source in product()
        for function in functions(source)
    }
    assert {place: count for place, count in lines.items() if count > FUNCTION_LINES} == {}


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or 0) - function.lineno + 1


def test_a_class_has_at_most_ten_public_methods() -> None:
    """A property counts as one: it is as much of what a reader has to know."""
    crowded = {}
    for name, cls in _all_classes():
        public = {
            item.name
            for item in cls.body
            if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
            and not item.name.startswith("_")
        }
        if len(public) > PUBLIC_METHODS:
            crowded[name, cls.name] = sorted(public)
    assert crowded == {}


def test_a_constructor_takes_at_most_six_parameters() -> None:
    wide = {}
    for name, cls in _all_classes():
        for item in cls.body:
            if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                count = len(item.args.args) + len(item.args.kwonlyargs) - 1
                if count > CONSTRUCTOR_PARAMETERS:
                    wide[name, cls.name] = count
    assert wide == {}


def _all_classes() -> Iterator[tuple[str, ast.ClassDef]]:
    """Each class beside its module's name."""
    return ((source.name, cls) for source in product() for cls in classes(source))


def test_a_module_says_what_it_is_for() -> None:
    assert [source.name for source in product() if not ast.get_docstring(source.tree)] == []


def test_no_module_is_a_drawer_for_leftovers() -> None:
    assert [source.name for source in product() if source.path.stem in LEFTOVERS] == []
