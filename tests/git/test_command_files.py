import os
from pathlib import Path

import pytest

from jupyter_ac.git.command_files import files_named, runs_module

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


@pytest.mark.parametrize(("command", "files"), CASES)
def test_the_files_that_a_command_names(tmp_path: Path, command: str, files: set[str]) -> None:
    root = Path(os.path.realpath(tmp_path))
    (root / "known.txt").touch()
    (root / "pkg" / "sub").mkdir(parents=True)
    for name in ("in.py", "Makefile", "package.json"):
        (root / "pkg" / name).touch()
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
