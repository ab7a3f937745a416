import json
import os
from pathlib import Path

import pytest

from jupyter_ac.git.command_files import files_named, runs_module, scripts_of, words_in

CASES = [
    ("python3 tools/strip.py", {"tools/strip.py"}),
    ("python3 strip.py --fast", {"strip.py"}),
    ("python3 -u tools/strip.py %f", {"tools/strip.py"}),
    ("./run", {"run"}),
    ("tools//./run", {"tools/run"}),
    ("a/../tools/run", {"tools/run"}),
    ("jq --from-file=tools/a.jq", {"tools/a.jq"}),
    ("awk -ftools/a.awk", {"tools/a.awk"}),
    ("cat <tools/x", {"tools/x"}),
    ("cat; sh 'tools/my x.sh'", {"tools/my x.sh"}),
    ("sh -c 'python3 tools/x.py | cat'", {"tools/x.py"}),
    ('"$PWD"/tools/x.sh', {"tools/x.sh"}),
    ("$PWD/tools/x.sh", {"tools/x.sh"}),
    ('"$(git rev-parse --show-toplevel)/tools/x.sh"', {"tools/x.sh"}),
    ("sh ${ROOT}/tools/x.sh", {"tools/x.sh"}),
    ("{root}/tools/x", {"tools/x"}),
    ("cd pkg && ./in.py", {"pkg/in.py"}),
    ("sh -c 'cd pkg; python3 in.py'", {"pkg/in.py"}),
    ("cd pkg/sub && ../in.py", {"pkg/in.py"}),
    ("env -C pkg python3 in.py", {"pkg/in.py"}),
    ("make -C pkg -s strip", {"pkg/Makefile"}),
    ("make -Cpkg strip", {"pkg/Makefile"}),
    ("npm --prefix=pkg run strip", {"pkg/package.json"}),
    ("PYTHONPATH=pkg python3 -m in", {"pkg/in.py"}),
    ("D=pkg; python3 $D/in.py", {"pkg/in.py"}),
    ("python3 -c \"exec(open('pkg/in.py').read())\"", {"pkg/in.py"}),
    ("python3 -c 'import pkg.in'", {"pkg/in.py"}),
    ("python3 -c 'import sys; sys.path.insert(0, \"pkg\"); import in'", {"pkg/in.py"}),
    ('sh -c "cd $(git rev-parse --show-toplevel)/pkg && ./in.py"', {"pkg/in.py"}),
    ("python3 -m tools.strip", {"tools/strip.py", "tools/strip/"}),
    ("python3 -mstrip", {"strip.py", "strip/"}),
    ("python3 -m nbstripout", {"nbstripout.py", "nbstripout/"}),
    ("LANG=C ./run", {"run"}),
    ("sh 'unclosed tools/x", {"tools/x"}),
    ("make -s strip", {"Makefile", "makefile", "GNUmakefile"}),
    ("npx strip", {"package.json", "node_modules"}),
    ("perl -Ilib -pe 1", {"lib/"}),
    ("perl -I lib -MStrip::All=x -pe 1", {"lib/", "Strip/All.pm"}),
    ("perl -Ipkg -MIn -pe 1", {"pkg/", "pkg/In.pm"}),
    ("/usr/bin/perl5.36 -w strip.pl", {"strip.pl"}),
    ("ruby -I lib:vendor -rstrip -pe 1", {"lib/", "vendor/", "strip.rb"}),
    ("ruby -Ilib -r ./strip.rb", {"lib/", "strip.rb"}),
    ("node -r ./hook in", {"hook", "hook.js", "hook.cjs", "hook/", "in"}),
    ("node --import=./hook.mjs in.js", {"hook.mjs", "in.js"}),
    ("node --require hook in.js", {"node_modules/hook/", "in.js"}),
    ("node --env-file=strip.env in.js", {"strip.env"}),
    ("bash --rcfile strip.rc -i", {"strip.rc"}),
    ("env python3 -W ignore -m strip", {"strip.py", "strip/"}),
    ("python3 -X dev -u strip.py", {"strip.py"}),
    ("uv run python -m tools.strip", {"tools/strip.py", "tools/strip/"}),
    ("make -f rules.mk strip", {"rules.mk"}),
    ("make --file=rules.mk strip", {"rules.mk"}),
    ("make -C new strip", {"new/"}),
    ("make strip", {"pkg/in.py", "Makefile"}),
    ("make -f pkg/Makefile", {"pkg/Makefile", "pkg/made.py"}),
    ("npm run strip", {"package.json", "tools/strip.js", "tools/before.sh", "tools/other.js"}),
    ("npm --prefix pkg run strip", {"pkg/package.json"}),
    ("known.txt", set()),
    ("sed -f known.txt", {"known.txt"}),
    ("python3 pkg", {"pkg"}),
    ("link/x.sh", {"link/x.sh", "pkg/x.sh"}),
    ("cat", set()),
    ("git-lfs clean -- %f", set()),
    ("jupyter nbconvert --to pkg --stdin --stdout", set()),
    ("git log -- pkg", set()),
    ("tr a-z A-Z", set()),
    ("/bin/cat", set()),
    ("../outside", set()),
    ("", set()),
]

SCRIPTS = json.dumps(
    {
        "scripts": {
            "strip": "node tools/strip.js && npm run other",
            "prestrip": "sh tools/before.sh",
            "other": "node tools/other.js",
            "unused": "node tools/unused.js",
            "self": "npm run self",
            "odd": 1,
        }
    }
)


@pytest.mark.parametrize(("command", "files"), CASES)
def test_the_files_that_a_command_names(tmp_path: Path, command: str, files: set[str]) -> None:
    root = Path(os.path.realpath(tmp_path))
    (root / "known.txt").touch()
    (root / "pkg" / "sub").mkdir(parents=True)
    for name in ("in.py", "Makefile", "package.json"):
        (root / "pkg" / name).touch()
    (root / "pkg" / "In.pm").touch()
    (root / "pkg" / "made.py").touch()
    (root / "Makefile").write_text("strip:\n\t$(PYTHON) pkg/in.py\n")
    (root / "pkg" / "Makefile").write_text("in:\n\t@./pkg/made.py\n")
    (root / "package.json").write_text(SCRIPTS)
    (root / "link").symlink_to("pkg")
    command = command.replace("{root}", str(root))
    assert files <= set(files_named(root, command))
    if not files and command != "known.txt":
        assert files_named(root, command) == ()


def test_a_program_that_path_finds_in_the_tree_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(os.path.realpath(tmp_path))
    program = root / ".venv" / "bin" / "nbstripout"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(program.parent) + os.pathsep + os.environ["PATH"])
    assert files_named(root, "nbstripout -t") == (".venv/bin/nbstripout",)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("python3 -m x", True),
        ("/v/bin/python -u -m x.y", True),
        ("python3 -mx", True),
        ("cat | python -m x", True),
        ("sh -c 'python3 -m x'", True),
        ("python3 -Ec 'import x'", True),
        ("python3 x.py -c y", False),
        ("python3 x.py -m y", False),
        ("grep -m 1 x", False),
        ("python3", False),
    ],
)
def test_a_module_run_by_its_name(command: str, *, answer: bool) -> None:
    assert runs_module(command) is answer


def test_only_the_scripts_that_a_call_names_are_looked_into(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    (root / "package.json").write_text(SCRIPTS)
    assert "tools/unused.js" not in files_named(root, "npm run strip")
    assert "tools/unused.js" in files_named(root, "npm install")
    assert "package.json" in files_named(root, "npm run self")
    for text in ("", "[]", '{"scripts": 1}', "[" * 100_000):
        (root / "package.json").write_text(text)
        assert "package.json" in files_named(root, "npm run strip")
    (root / "package.json").unlink()
    os.mkfifo(root / "package.json")
    assert "package.json" in files_named(root, "npm run strip")


def test_the_scripts_that_a_call_names_are_given_with_what_runs_around_them(
    tmp_path: Path,
) -> None:
    manifest = tmp_path / "package.json"
    scripts = {"a": "1", "prea": "2", "posta": "3", "b": "4", "odd": 5}
    manifest.write_text(json.dumps({"scripts": scripts}))
    assert list(scripts_of(manifest, ["run", "a"], is_any=True)) == ["2", "1", "3"]
    assert list(scripts_of(manifest, ["install"], is_any=True)) == ["1", "2", "3", "4"]
    assert list(scripts_of(manifest, ["install"], is_any=False)) == []


@pytest.mark.parametrize("text", ["", "[]", '{"scripts": 1}', "{}", "[" * 100_000])
def test_a_manifest_that_says_nothing_has_no_scripts(tmp_path: Path, text: str) -> None:
    (tmp_path / "package.json").write_text(text)
    assert list(scripts_of(tmp_path / "package.json", [], is_any=True)) == []


def test_the_words_of_recipes_are_without_what_is_for_make(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("a: b\n\t@./x.sh $(Y)/z.py >out\n\t-rm ../t\n")
    assert words_in(tmp_path / "Makefile") == {
        "a",
        "b",
        "./x.sh",
        "Y",
        "/z.py",
        "out",
        "rm",
        "../t",
    }


def test_a_pipe_and_nothing_have_no_words(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "gone"):
        assert words_in(tmp_path / name) == set()
        assert list(scripts_of(tmp_path / name, [], is_any=True)) == []
