"""`tests/` mirrors `jupyter_ac/`: a stranger finds a module's test by its name."""

from pathlib import Path

from tests.meta.sources import PACKAGE, ROOT, Source, product

# Nothing to test on their own: names, constants and type definitions.
WITHOUT_TEST = {
    "jupyter_ac/ids.py",
    "jupyter_ac/version.py",
    "jupyter_ac/usage_rows.py",
    "jupyter_ac/url_rows.py",
    "jupyter_ac/context_rows.py",
    "jupyter_ac/notebook_rows.py",
    "jupyter_ac/planner_rows.py",
    "jupyter_ac/services/panels/panel_rows.py",
    "jupyter_ac/services/panels/panel_source.py",
    "jupyter_ac/browser/action_rows.py",
    "jupyter_ac/browser/recorded_rows.py",
    "jupyter_ac/browser/target_rows.py",
    "jupyter_ac/cell_run_rows.py",
    "jupyter_ac/suite_rows.py",
    "jupyter_ac/activity_rows.py",
    "jupyter_ac/message_rows.py",
    "jupyter_ac/tool_rows.py",
    "jupyter_ac/agent/tool.py",
    "jupyter_ac/chat/tool_calls.py",
    "jupyter_ac/planner/execution/executor.py",
    "jupyter_ac/web/fetch_request.py",
    "jupyter_ac/hosts/cli/exit_codes.py",
}
# Folders of tests that look at the whole rather than at a module.
ACROSS = {
    *(
        "benchmarks",
        "binder",
        "contract",
        "e2e",
        "fuzz",
        "meta",
        "notebooks",
        "support",
        "tools",
        "ugly",
    ),
}


def test_each_module_has_its_test_module() -> None:
    missing = [
        expected.relative_to(ROOT).as_posix()
        for source in product()
        if source.path.name != "__init__.py" and source.name not in WITHOUT_TEST
        if not (expected := _test_of(source)).is_file()
    ]
    assert missing == []


def _test_of(source: Source) -> Path:
    relative = source.path.relative_to(PACKAGE)
    return ROOT / "tests" / relative.parent / f"test_{relative.stem.strip('_')}.py"


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
