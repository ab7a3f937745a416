"""`tests/` mirrors `jupyter_ac/`: a stranger finds a module's test by its name."""

import pytest

from tests.meta.sources import PACKAGE, ROOT, Source, product

# Nothing to test on their own: names, constants and type definitions.
WITHOUT_TEST = {
    "jupyter_ac/ids.py",
    "jupyter_ac/version.py",
    "jupyter_ac/usage_rows.py",
    "jupyter_ac/hosts/cli/exits.py",
}
# Folders of tests that look at the whole rather than at a module.
ACROSS = {
    *("benchmarks", "binder", "contract", "e2e", "meta", "notebooks", "support", "tools", "ugly"),
}

modules = [
    source
    for source in product()
    if source.path.name != "__init__.py" and source.name not in WITHOUT_TEST
]


@pytest.mark.parametrize("source", modules, ids=lambda source: source.name)
def test_each_module_has_its_test_module(source: Source) -> None:
    relative = source.path.relative_to(PACKAGE)
    stem = relative.stem.strip("_")
    expected = ROOT / "tests" / relative.parent / f"test_{stem}.py"
    assert expected.is_file(), f"write {expected.relative_to(ROOT)}"


def test_each_test_folder_has_its_package() -> None:
    folders = {
        path.parent.relative_to(ROOT / "tests")
        for path in (ROOT / "tests").rglob("test_*.py")
        if path.parent != ROOT / "tests"
    }
    strangers = {
        folder.as_posix()
        for folder in folders
        if ACROSS.isdisjoint(folder.parts) and not (PACKAGE / folder).is_dir()
    }
    assert strangers == set()
