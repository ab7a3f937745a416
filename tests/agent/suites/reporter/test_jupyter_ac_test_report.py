"""The plugin in a real pytest; what it reports of each outcome is shown in `test_suite_runs`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jupyter_ac.agent.suites.report_lines import report_variables
from jupyter_ac.agent.suites.reporter.jupyter_ac_test_report import MAX_TEXT, shortened

MARK = "f00 "
WORKERS = (
    "import pytest\n@pytest.mark.parametrize('at', range(20))\ndef test_each(at): assert at != 7\n"
)


def report(folder: Path, *arguments: str, mark: str = MARK) -> list[dict[str, object]]:
    """Run pytest in a folder, and return what was reported."""
    variables = {**os.environ, **report_variables(mark)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = done.stdout.splitlines()
    return [json.loads(line[len(MARK) :]) for line in lines if line.startswith(MARK)]


def test_workers_of_xdist_report_once(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(WORKERS)
    found = report(tmp_path, "-n", "2")
    (tests,) = [row["ids"] for row in found if row["kind"] == "tests"]
    assert tests == [f"test_a.py::test_each[{at}]" for at in range(20)]
    outcomes = {row["id"]: row["outcome"] for row in found if row["kind"] == "result"}
    assert outcomes == {
        f"test_a.py::test_each[{at}]": "failed" if at == 7 else "passed" for at in range(20)
    }
    assert [row["kind"] for row in found][-1] == "end"


def test_without_a_mark_nothing_is_reported(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_a(): pass\n")
    assert report(tmp_path, mark="") == []


def test_a_module_that_skips_itself_is_reported(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("import pytest\npytest.importorskip('nothing_such')\n")
    found = [row for row in report(tmp_path) if row["kind"] == "result"]
    assert [(row["id"], row["outcome"]) for row in found] == [("test_a.py", "skipped")]
    assert "nothing_such" in str(found[0]["text"])


def test_an_error_inside_of_pytest_is_reported(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "def pytest_runtest_protocol(item):\n    raise RuntimeError('inside')\n"
    )
    (tmp_path / "test_a.py").write_text("def test_a(): pass\n")
    (found,) = [row for row in report(tmp_path) if row["kind"] == "internal"]
    assert "inside" in str(found["text"])


def test_a_failed_teardown_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        "import pytest\n@pytest.fixture\ndef late():\n    yield\n    raise ValueError('late')\n"
        "def test_a(late): pass\n"
    )
    (found,) = [row for row in report(tmp_path) if row["kind"] == "result"]
    assert (found["outcome"], "late" in str(found["text"])) == ("error", True)


@pytest.mark.parametrize("length", [0, 10, MAX_TEXT, MAX_TEXT + 1, 5 * MAX_TEXT])
def test_a_long_text_loses_its_middle(length: int) -> None:
    text = shortened("a" * length)
    assert len(text) <= MAX_TEXT + 60
    assert ("are left out" in text) == (length > MAX_TEXT)
