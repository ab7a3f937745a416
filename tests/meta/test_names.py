"""Names say one thing: no class of one name twice in a layer, no module of one name in siblings."""

import ast
from collections import Counter, defaultdict
from pathlib import PurePosixPath

from tests.meta.sources import classes, product

SAME_ROLE = {
    "services": {
        "branches",
        "files",
        "history",
        "images",
        "models",
        "review",
        "shapes",
        "snippets",
    },
}
"""Modules of sibling packages that do the same in each: the parts of namespaces on the wire."""

STILL_TWICE = 4
"""Other modules of one name in sibling packages. It only becomes less."""


def test_no_two_public_classes_of_a_layer_have_one_name() -> None:
    names = Counter(
        (PurePosixPath(source.name).parts[1], cls.name)
        for source in product()
        for cls in classes(source)
        if not cls.name.startswith("_")
    )
    assert {name: count for name, count in names.items() if count > 1} == {}


def test_modules_of_sibling_packages_have_names_of_their_own() -> None:
    packages: dict[tuple[str, str], set[str]] = defaultdict(set)
    for source in product():
        path = PurePosixPath(source.name)
        if path.stem not in {"__init__", "__main__"} and len(path.parts) > len(("p", "q", "m")):
            packages[str(path.parent.parent), path.stem].add(path.parent.name)
    twice = {
        (parent, name)
        for (parent, name), found in packages.items()
        if len(found) > 1 and name not in SAME_ROLE.get(PurePosixPath(parent).name, ())
    }
    assert len(twice) == STILL_TWICE, sorted(twice)


def test_a_class_with_methods_on_the_wire_is_called_so() -> None:
    named = {
        f"{source.name}:{cls.name}"
        for source in product()
        if source.name.startswith("jupyter_ac/services/")
        for cls in classes(source)
        if any(_is_on_the_wire(item) for item in cls.body) and not cls.name.endswith("Methods")
    }
    assert named == set(), "call the class …Methods, and list it in hosts/method_table.py"


def _is_on_the_wire(item: ast.stmt) -> bool:
    return isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and any(
        ast.unparse(decorator).startswith("method(") for decorator in item.decorator_list
    )
