import pytest

from jupyter_ac.git.interpreter_options import module_after, named_by_options, script_after


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("perl -Ilib -I more -mA::B=x -M-C", ["lib/", "more/", "A/B.pm", "C.pm"]),
        ("ruby3.2 -I a:b -rx --require=y.rb", ["a/", "b/", "x.rb", "y.rb"]),
        ("make -fx --makefile=y -C d", ["x", "y", "d/"]),
        ("sh --init-file x", ["x"]),
        ("php -d auto_prepend_file=x -d memory_limit=1", ["x"]),
        ("python -m a.b", ["a/b.py", "a/b/"]),
        ("cat -I x", []),
        ("perl -I", []),
    ],
)
def test_what_options_name(command: str, names: list[str]) -> None:
    assert list(named_by_options(command.split(), 0)) == names


def test_a_module_of_node_is_named_with_all_its_ends() -> None:
    names = list(named_by_options(["node", "--import", "./x"], 0))
    assert names == ["./x", "./x.js", "./x.cjs", "./x.mjs", "./x.json", "./x.ts", "./x/"]
    assert "node_modules/x.js" in named_by_options(["node", "-r", "x"], 0)


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("python3 -u x", 2),
        ("python3 -W ignore x", 3),
        ("python3 -m x y", None),
        ("python3 -c x y", None),
        ("perl -I lib x", 3),
        ("perl -pe x y", None),
        ("node --eval x y", None),
        ("node x", 1),
        ("node", None),
        ("cat x", None),
    ],
)
def test_where_the_script_stands(command: str, script: int | None) -> None:
    assert script_after(command.split(), 0) == script


@pytest.mark.parametrize(
    ("command", "module"),
    [
        ("python -m x", "x"),
        ("python -mx.y", "x.y"),
        ("python -X dev -m x", "x"),
        ("python x -m y", None),
        ("python -m ./x", None),
        ("python", None),
    ],
)
def test_the_module_that_python_runs(command: str, module: str | None) -> None:
    assert module_after(command.split(), 0) == module
