"""Imports of Go."""

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


def test_a_host_that_is_no_forge_may_name_its_modules_with_one_part() -> None:
    source = 'package main\nimport "HOST/util"\nfunc main() { util.More() }\n'
    for module, there in [("go.example.org/app", "util/util.go"), ("github.com/other", None)]:
        state = state_of(FILES | {"main.go": source.replace("HOST", module)})
        assert imported(state, "main.go") == [there]


def test_a_package_knows_its_own_names() -> None:
    assert meant(state_of(FILES), "util/more.go", "Clean") == "util/util.go:Clean"
