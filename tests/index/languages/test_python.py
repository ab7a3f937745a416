"""Imports of Python."""

import pytest

from tests.support.indexed import imported, meant, state_of

HELPER = "def helper(): pass\n"


@pytest.mark.parametrize(
    ("path", "line", "target"),
    [
        ("pkg/a.py", "from . import b", "pkg/b.py"),
        ("pkg/a.py", "from .b import helper", "pkg/b.py"),
        ("pkg/a.py", "from pkg.b import helper", "pkg/b.py"),
        ("pkg/a.py", "import pkg.b", "pkg/b.py"),
        ("pkg/sub/c.py", "from ..b import helper", "pkg/b.py"),
        ("pkg/sub/c.py", "from .. import b", "pkg/b.py"),
        ("tests/test_b.py", "from pkg.b import helper", "pkg/b.py"),
        ("pkg/a.py", "import pkg", "pkg/__init__.py"),
        ("main.py", "import nothing.there", None),
        ("pkg/a.py", "from .... import b", None),
    ],
)
def test_an_import_leads_to_its_module(path: str, line: str, target: str | None) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/sub/__init__.py": "",
        "pkg/b.py": HELPER,
        path: line + "\n",
    }
    assert imported(state_of(files), path) == [target]


def test_a_src_folder_is_a_root() -> None:
    files = {"src/pkg/__init__.py": "", "src/pkg/b.py": HELPER, "src/alone.py": ""}
    files["tests/test_b.py"] = "from pkg.b import helper\nimport alone\n"
    assert imported(state_of(files), "tests/test_b.py") == ["src/pkg/b.py", "src/alone.py"]


def test_a_package_without_init_is_found_from_its_root() -> None:
    files = {"space/part/__init__.py": "", "space/part/b.py": HELPER, "space/mod.py": ""}
    files["run.py"] = "import space.part.b\nimport space.mod\n"
    assert imported(state_of(files), "run.py") == ["space/part/b.py", "space/mod.py"]


def test_the_nearest_of_equal_packages_is_meant() -> None:
    files = {f"{top}/src/pkg/{name}.py": "" for top in "ab" for name in ("__init__", "m")}
    files |= {f"{top}/tests/t.py": "import pkg.m\n" for top in "ab"}
    state = state_of(files)
    assert imported(state, "b/tests/t.py") == ["b/src/pkg/m.py"]


def test_the_standard_library_isnt_taken_for_a_file_of_that_name() -> None:
    files = {"pkg/__init__.py": "", "pkg/json.py": HELPER, "tools/json.py": ""}
    files["pkg/a.py"] = "import json\n"
    files["tools/other/b.py"] = "import json\n"
    files["tools/c.py"] = "import json\n"
    state = state_of(files)
    assert imported(state, "pkg/a.py") == [None]
    assert imported(state, "tools/other/b.py") == [None]
    assert imported(state, "tools/c.py") == ["tools/json.py"], "a script's own folder comes first"


def test_names_are_followed_through_aliases_and_re_exports() -> None:
    files = {
        "pkg/__init__.py": "from .impl import make as build\nfrom .stars import *\n",
        "pkg/impl.py": "def make(): pass\n",
        "pkg/stars.py": "def shine(): pass\n",
        "use.py": "from pkg import build as b, shine\nimport pkg.impl as pi\nimport pkg\n"
        "b()\nshine()\npi.make()\npkg.build()\n",
    }
    state = state_of(files)
    assert meant(state, "use.py", "b") == "pkg/impl.py:make"
    assert meant(state, "use.py", "shine") == "pkg/stars.py:shine"
    assert meant(state, "use.py", "make") == "pkg/impl.py:make"
    assert meant(state, "use.py", "build") == "pkg/impl.py:make"


def test_a_dotted_module_is_known_by_its_whole_name() -> None:
    files = {"pkg/__init__.py": "", "pkg/mod.py": "def f(): pass\n"}
    files["use.py"] = "import pkg.mod\npkg.mod.f()\n"
    assert meant(state_of(files), "use.py", "f") == "pkg/mod.py:f"


def test_names_from_outside_stay_outside() -> None:
    files = {
        "a.py": "def fetch_rows(): pass\n",
        "b.py": "from lib import fetch_rows\nfetch_rows()\n",
    }
    files["c.py"] = "import lib\nlib.fetch_rows()\n"
    state = state_of(files)
    assert meant(state, "b.py", "fetch_rows") == ""
    assert meant(state, "c.py", "fetch_rows") == ""
