"""Modules, functions and classes stay small (CONTRIBUTING.md, "Size")."""

import ast

import pytest

from tests.meta.sources import Source, classes, functions, product

MODULE_LINES = 400
FUNCTION_LINES = 60
PUBLIC_METHODS = 10
CONSTRUCTOR_PARAMETERS = 6

each_module = pytest.mark.parametrize("source", product(), ids=lambda source: source.name)


@each_module
def test_a_module_fits_in_400_lines(source: Source) -> None:
    assert source.text.count("\n") <= MODULE_LINES


@each_module
def test_a_function_fits_in_60_lines(source: Source) -> None:
    long = {
        function.name: (function.end_lineno or 0) - function.lineno + 1
        for function in functions(source)
        if (function.end_lineno or 0) - function.lineno + 1 > FUNCTION_LINES
    }
    assert long == {}


@each_module
def test_a_class_has_at_most_ten_public_methods(source: Source) -> None:
    """A property counts as one: it is as much of what a reader has to know."""
    crowded = {}
    for cls in classes(source):
        public = {
            item.name
            for item in cls.body
            if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
            and not item.name.startswith("_")
        }
        if len(public) > PUBLIC_METHODS:
            crowded[cls.name] = sorted(public)
    assert crowded == {}


@each_module
def test_a_constructor_takes_at_most_six_parameters(source: Source) -> None:
    wide = {}
    for cls in classes(source):
        for item in cls.body:
            if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                count = len(item.args.args) + len(item.args.kwonlyargs) - 1
                if count > CONSTRUCTOR_PARAMETERS:
                    wide[cls.name] = count
    assert wide == {}


@each_module
def test_a_module_says_what_it_is_for(source: Source) -> None:
    assert ast.get_docstring(source.tree)


@each_module
def test_no_module_is_a_drawer_for_leftovers(source: Source) -> None:
    assert source.path.stem not in {"utils", "util", "helpers", "common", "misc", "manager"}
