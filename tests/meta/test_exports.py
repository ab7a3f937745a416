"""What the package offers, and that nothing else re-exports names."""

import ast

import jupyter_ac
from jupyter_ac import jrpc_oo
from tests.meta.sources import product

# Packages that are there for others to import; all else is ours to move.
PUBLIC = {
    "jupyter_ac/__init__.py",
    "jupyter_ac/http_client/__init__.py",
    "jupyter_ac/jrpc_oo/__init__.py",
    "jupyter_ac/panels/__init__.py",
}


def test_the_public_names_are_sorted_and_all_there() -> None:
    assert sorted(jupyter_ac.__all__) == list(jupyter_ac.__all__)
    for name in jupyter_ac.__all__:
        assert getattr(jupyter_ac, name) is not None


def test_the_public_api_of_jrpc_oo_is_two_classes() -> None:
    assert jrpc_oo.__all__ == ["JRPCClient", "JRPCServer"]
    assert {name for name in jrpc_oo.__all__ if isinstance(getattr(jrpc_oo, name), type)} == {
        "JRPCClient",
        "JRPCServer",
    }


def test_dir_lists_the_public_names() -> None:
    assert set(jupyter_ac.__all__) <= set(dir(jupyter_ac))


def test_an_inner_package_says_what_it_owns_and_exports_nothing() -> None:
    packages = [source for source in product() if source.path.name == "__init__.py"]
    assert packages
    wrong = [
        source.name
        for source in packages
        if source.name not in PUBLIC
        if not ast.get_docstring(source.tree) or len(source.tree.body) != 1
    ]
    assert wrong == []
