"""Imports of Go."""

from jupyter_ac.index.extraction.manifest_rows import manifest_of
from jupyter_ac.index.parsing import language_of, parse
from tests.support.indexed import imported, meant, state_of

FILES = {
    "go.mod": "module example.com/me/app\n",
    "util/util.go": "package util\nfunc Clean() {}\n",
    "util/more.go": "package util\nfunc More() { Clean() }\n",
    "util/util_test.go": "package util\n",
    "json/json.go": "package json\nfunc Marshal() {}\n",
}


def test_packages_below_the_module_are_found() -> None:
    files = FILES | {
        "main.go": 'package main\nimport (\n\tu "example.com/me/app/util"\n\t"encoding/json"\n'
        '\t"fmt"\n)\nfunc main() { u.More(); json.Marshal() }\n'
    }
    state = state_of(files)
    assert imported(state, "main.go") == ["util/util.go", None, None]
    assert meant(state, "main.go", "More") == "util/more.go:More"
    assert meant(state, "main.go", "Marshal") == ""


def test_without_a_modules_name_a_host_that_is_no_forge_may_name_it_with_one_part() -> None:
    source = 'package main\nimport "HOST/util"\nfunc main() { util.More() }\n'
    for module, there in [("go.example.org/app", "util/util.go"), ("github.com/other", None)]:
        state = state_of(FILES | {"go.mod": "", "main.go": source.replace("HOST", module)})
        assert imported(state, "main.go") == [there]


def test_a_package_knows_its_own_names() -> None:
    assert meant(state_of(FILES), "util/more.go", "Clean") == "util/util.go:Clean"


MODULES = {
    "go.mod": "module example.com/me/app // of all\n\n"
    "replace (\n\texample.com/x/log v1.2 => ./log\n)\n",
    "util/util.go": "package util\n",
    "tools/go.mod": 'module "tools.dev/gen"\nreplace example.com/me/app => ../\n',
    "tools/gen.go": "package gen\n",
    "tools/print/print.go": "package print\n",
    "log/go.mod": "module example.com/x/other\n",
    "log/log.go": "package log\n",
    "log/file/file.go": "package file\n",
}


def _led(files: dict[str, str], path: str, module: str) -> str | None:
    source = {path: f'package main\nimport "{module}"\n'}
    return imported(state_of(files | source), path)[0]


def test_several_modules_of_one_tree_are_told_apart_by_their_names() -> None:
    assert _led(MODULES, "main.go", "example.com/me/app/util") == "util/util.go"
    assert _led(MODULES, "main.go", "tools.dev/gen") == "tools/gen.go"
    assert _led(MODULES, "main.go", "tools.dev/gen/print") == "tools/print/print.go"
    assert _led(MODULES, "tools/cmd/a.go", "example.com/me/app/util") == "util/util.go"


def test_a_replaced_module_is_the_folder_that_stands_for_it() -> None:
    assert _led(MODULES, "main.go", "example.com/x/log") == "log/log.go"
    assert _led(MODULES, "main.go", "example.com/x/log/file") == "log/file/file.go"
    assert _led(MODULES, "tools/cmd/a.go", "example.com/x/log") is None


def test_what_is_no_package_of_the_tree_joins_nothing() -> None:
    assert _led(MODULES, "main.go", "example.com/me/app/old/util") is None
    assert _led(MODULES, "main.go", "example.com/me/other/util") is None
    assert _led(MODULES, "main.go", "example.com/me/application/util") is None
    assert _led(MODULES, "main.go", "util") is None


def test_of_modules_with_one_name_a_file_means_its_own() -> None:
    files = {f"{at}/go.mod": "module example.com/m\n" for at in ("a", "b", "c")}
    files |= {f"{at}/p/p.go": "package p\n" for at in ("a", "b", "c")}
    assert _led(files, "b/x/main.go", "example.com/m/p") == "b/p/p.go"


def test_vendored_packages_are_found() -> None:
    files = MODULES | {"vendor/example.com/far/away/away.go": "package away\n"}
    assert _led(files, "main.go", "example.com/far/away") == "vendor/example.com/far/away/away.go"


GO = b"""// about
module example.com/a // here

go 1.22
require example.com/b v1.0.0
replace example.com/b => ../b
replace (
\texample.com/c v1.2.3 => ./c // ours
\texample.com/d => example.com/e v1.0.0
)
"""


def test_a_go_module_tells_its_name_and_what_folders_replace() -> None:
    assert manifest_of("go.mod", GO) == (
        ("module", "example.com/a"),
        ("replace", "example.com/b", "../b"),
        ("replace", "example.com/c", "./c"),
    )
    assert parse(language_of("x/go.mod"), GO).manifest == manifest_of("go.mod", GO)
