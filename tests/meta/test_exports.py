"""What the package offers, and that nothing else re-exports names."""

import ast

import pytest

import jupyter_ac
from tests.meta.sources import Source, product

packages = [
    source
    for source in product()
    if source.path.name == "__init__.py" and source.name != "jupyter_ac/__init__.py"
]


def test_the_public_names_are_sorted_and_all_there() -> None:
    assert sorted(jupyter_ac.__all__) == list(jupyter_ac.__all__)
    for name in jupyter_ac.__all__:
        assert getattr(jupyter_ac, name) is not None


def test_dir_lists_the_public_names() -> None:
    assert set(jupyter_ac.__all__) <= set(dir(jupyter_ac))


@pytest.mark.parametrize("source", packages, ids=lambda source: source.name)
def test_an_inner_package_says_what_it_owns_and_exports_nothing(source: Source) -> None:
    assert ast.get_docstring(source.tree)
    assert len(source.tree.body) == 1
