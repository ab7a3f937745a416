"""What names mean."""

import pytest

from tests.support.indexed import meant, state_of

CLASS = "class Store:\n" + "".join(
    f"    def {name}(self): pass\n" for name in ("fetch_rows", "get", "save")
)


@pytest.mark.parametrize("name", ["get", "run", "append", "open", "print", "close", "start"])
def test_common_names_and_builtins_never_join_files(name: str) -> None:
    files = {"a.py": f"class A:\n    def {name}(self): pass\n", "c.py": f"def {name}(): pass\n"}
    for text in (f"x.{name}()\n", f"{name}()\n", f"y.x.{name}()\n"):
        assert meant(state_of({**files, "b.py": text}), "b.py", name) == ""
        del files["c.py" if "c.py" in files else "a.py"]
        files["a.py"] = f"class A:\n    def {name}(self): pass\n"


def test_the_only_definition_of_a_distinctive_name_is_meant() -> None:
    state = state_of({"a.py": CLASS, "b.py": "store.fetch_rows()\n"})
    assert meant(state, "b.py", "fetch_rows") == "a.py:Store.fetch_rows"


def test_a_name_that_two_files_define_means_none_of_them() -> None:
    state = state_of({"a.py": CLASS, "c.py": CLASS, "b.py": "store.fetch_rows()\n"})
    assert meant(state, "b.py", "fetch_rows") == ""


def test_languages_dont_know_each_others_names() -> None:
    state = state_of({"a.py": CLASS, "b.js": "store.fetch_rows();\n"})
    assert meant(state, "b.js", "fetch_rows") == ""


def test_an_import_goes_before_a_unique_name() -> None:
    files = {"a.py": "def make_it(): pass\n", "b.py": "def make_it(): pass\n"}
    state = state_of({**files, "c.py": "from b import make_it\nmake_it()\n"})
    assert meant(state, "c.py", "make_it") == "b.py:make_it"


def test_the_same_file_goes_before_an_import() -> None:
    files = {"a.py": "def make_it(): pass\n"}
    state = state_of({**files, "c.py": "from a import make_it\ndef make_it(): pass\nmake_it()\n"})
    assert meant(state, "c.py", "make_it") == "c.py:make_it"


def test_self_means_the_class_around_then_its_bases_in_other_files() -> None:
    files = {
        "base.py": CLASS,
        "mid.py": "import base as b\nclass Mid(b.Store):\n    def save(self): pass\n",
        "low.py": "from mid import Mid\nclass Low(Mid):\n    def go(self):\n"
        "        self.get()\n        self.save()\n        self.go()\n        super().go()\n",
    }
    state = state_of(files)
    assert meant(state, "low.py", "get") == "base.py:Store.get"
    assert meant(state, "low.py", "save") == "mid.py:Mid.save"
    assert meant(state, "low.py", "go") == "low.py:Low.go"


def test_a_class_before_the_dot_is_looked_into() -> None:
    state = state_of({"a.py": CLASS, "b.py": "from a import Store as S\nS.get()\n"})
    assert meant(state, "b.py", "get") == "a.py:Store.get"


def test_the_innermost_scope_wins() -> None:
    text = "def work(): pass\ndef outer():\n    def work(): pass\n    work()\n"
    assert meant(state_of({"a.py": text}), "a.py", "work") == "a.py:outer.work"


def test_imports_in_a_circle_end() -> None:
    files = {"a.py": "from b import thing_one\n", "b.py": "from a import thing_one\n"}
    state = state_of({**files, "c.py": "from a import thing_one\nthing_one()\n"})
    assert meant(state, "c.py", "thing_one") == ""


def test_classes_that_extend_each_other_end() -> None:
    text = "class A(B.A):\n    def m(self): self.nothing_here()\nclass B(A.B): pass\n"
    assert meant(state_of({"a.py": text}), "a.py", "nothing_here") == ""
