import json
import os
import socket
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from jupyter_ac.agent.commands.mounts import Mounts
from jupyter_ac.agent.commands.sandbox import Sandbox, bwrap_arguments
from jupyter_ac.errors import Unsupported
from jupyter_ac.git.repository import discover
from tests.agent.commands.commanded import SECRET, make_commanded, make_sandboxed
from tests.support.repositories import make_repository

MOUNTS = Mounts(
    links={Path("/bin"): "usr/bin"},
    system=(Path("/usr"),),
    kernel_settings=(Path("/proc/sys"),),
    kernel_memory=(Path("/proc/kcore"),),
    empty=(Path("/tmp"), Path("/home/ada")),
    programs=(Path("/opt/tools"),),
    root=Path("/home/ada/r"),
    protected=(Path("/home/ada/r/.git"),),
    hidden=(Path("/home/ada/r/.git/jupyter_ac"),),
    home=Path("/home/ada"),
)


def test_the_options_isolate_and_come_in_the_order_in_which_they_count() -> None:
    options = bwrap_arguments(MOUNTS, {"PATH": "/usr/bin", "HOME": "/elsewhere"})
    for option in ("--unshare-all", "--die-with-parent", "--new-session", "--clearenv"):
        assert option in options
    assert ("--cap-drop", "ALL") in pairwise(options)
    order = [
        ("--symlink", "usr/bin"),
        ("--ro-bind", "/usr"),
        ("--proc", "/proc"),
        ("--ro-bind", "/proc/sys"),
        ("/dev/null", "/proc/kcore"),
        ("--tmpfs", "/tmp"),
        ("--tmpfs", "/home/ada"),
        ("--ro-bind", "/opt/tools"),
        ("--bind", "/home/ada/r"),
        ("--ro-bind", "/home/ada/r/.git"),
        ("--tmpfs", "/home/ada/r/.git/jupyter_ac"),
        ("--chdir", "/home/ada/r"),
    ]
    pairs = list(pairwise(options))
    places = [pairs.index(pair) for pair in order]
    assert places == sorted(places)
    assert [b for a, b in pairwise(options) if a == "--bind"] == ["/home/ada/r"]
    variables = {options[n + 1]: options[n + 2] for n in _places(options, "--setenv")}
    assert variables == {"PATH": "/usr/bin", "HOME": "/home/ada"}


def test_a_sandbox_with_network_shows_where_names_are_looked_up() -> None:
    options = bwrap_arguments(MOUNTS, {}, has_network=True)
    assert options.index("--share-net") > options.index("--unshare-all")
    names = os.path.realpath("/etc/resolv.conf")
    is_bound = (names, "/etc/resolv.conf") in pairwise(options)
    assert is_bound == Path(names).exists()
    assert "--share-net" not in bwrap_arguments(MOUNTS, {})


def _places(options: list[str], option: str) -> list[int]:
    return [number for number, each in enumerate(options) if each == option]


async def sandbox_with(tmp_path: Path, script: str | None) -> Sandbox:
    """Return a sandbox whose bwrap is a shell script, or missing."""
    tools = tmp_path / "tools"
    tools.mkdir()
    if script is not None:
        (tools / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
        (tools / "bwrap").chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    repository = await discover(make_repository(tmp_path / "r", {"a": "x"}).root)
    return Sandbox(repository, {"PATH": str(tools), "HOME": str(home)})


linux = pytest.mark.skipif(sys.platform != "linux", reason="says that the sandbox needs Linux")


@linux
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (None, "install bubblewrap"),
        ("echo 'bwrap: No permissions to create new namespace' >&2; exit 1", "user namespaces"),
        ("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1", "user namespaces"),
        ('echo "bwrap: Can\'t mount proc: Operation not permitted" >&2; exit 1', "container"),
        ("echo 'bwrap: Unknown option --clearenv' >&2; exit 1", "Unknown option --clearenv"),
        ("exit 7", "exit status 7"),
        ("printf 'bwrap: \\033[31mred' >&2; exit 1", r"bwrap: \[31mred"),
    ],
)
async def test_where_a_trial_run_fails_there_is_no_sandbox_and_the_reason_is_said(
    tmp_path: Path, script: str | None, reason: str
) -> None:
    sandbox = await sandbox_with(tmp_path, script)
    refusal = await sandbox.refusal()
    assert reason.replace("\\", "") in refusal
    assert refusal.endswith(".")
    with pytest.raises(Unsupported) as raised:
        await sandbox.command_line(MOUNTS, ("true",), {})
    assert raised.value.message == refusal


@linux
async def test_the_trial_is_made_once_with_the_options_of_a_command(tmp_path: Path) -> None:
    sandbox = await sandbox_with(tmp_path, 'echo "$@" >> "$(dirname "$0")/calls"')
    assert await sandbox.refusal() == ""
    assert await sandbox.refusal() == ""
    calls = (tmp_path / "tools" / "calls").read_text().splitlines()
    assert len(calls) == 1
    line = await sandbox.command_line(await sandbox.mounts(), ("true",), {"PATH": "x"})
    assert Path(line[0]) == tmp_path / "tools" / "bwrap"
    options = [word for word in line if word.startswith("--")]
    assert [word for word in calls[0].split() if word.startswith("--")] == options


@linux
async def test_a_bwrap_of_the_repository_is_not_run(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"bwrap": "#!/bin/sh\ntouch ran\n"})
    (folder.root / "bwrap").chmod(0o755)
    environ = {"PATH": f"{folder.root}:.", "HOME": str(tmp_path / "home")}
    sandbox = Sandbox(await discover(folder.root), environ)
    assert "install bubblewrap" in await sandbox.refusal()
    assert not (folder.root / "ran").exists()


async def test_a_repository_that_cannot_be_protected_says_so(tmp_path: Path) -> None:
    commanded = await make_commanded(tmp_path, {"HOME": str(tmp_path / "home" / "a project")})
    refusal = await commanded.runner.sandbox.refusal()
    assert refusal
    with pytest.raises(Unsupported, match=refusal[:20]):
        await commanded.run("true", sandboxed=True)


READ_ALL = """
import json, os, sys
def read(path):
    try:
        return open(path, errors="replace").read()
    except OSError as error:
        return type(error).__name__
print(json.dumps({path: read(path) for path in sys.argv[1:]}))
"""


async def read_there(tmp_path: Path, *paths: str) -> Mapping[str, str]:
    commanded = await make_sandboxed(tmp_path)
    outcome = await commanded.sandboxed_python(READ_ALL, *paths)
    assert outcome.exit_code == 0, outcome.output
    found: Mapping[str, str] = json.loads(outcome.output)
    return found


async def test_keys_and_tokens_are_not_there(tmp_path: Path) -> None:
    home = Path(os.path.realpath(tmp_path)) / "home"
    outside = [".ssh/id_ed25519", ".netrc", ".local/share/jupyter/runtime/jpserver-1.json"]
    found = await read_there(
        tmp_path,
        *(str(home / path) for path in outside),
        *("/etc/shadow", "/proc/self/environ", "/proc/1/environ", "a.txt"),
    )
    assert found["a.txt"] == "one\n"
    assert SECRET not in str(found)
    assert found["/etc/shadow"] == "FileNotFoundError"
    assert "PATH=" in found["/proc/self/environ"]


async def test_a_link_out_of_the_repository_leads_nowhere(tmp_path: Path) -> None:
    commanded = await make_sandboxed(tmp_path)
    (commanded.folder.root / "key").symlink_to(commanded.home / ".ssh" / "id_ed25519")
    (commanded.folder.root / "home").symlink_to(commanded.home)
    outcome = await commanded.sandboxed_python(READ_ALL, "key", "home/.netrc")
    assert SECRET not in outcome.output
    assert outcome.output.count("FileNotFoundError") == 2


WRITE_ALL = """
import os, sys
for path in sys.argv[1:]:
    try:
        if os.path.isdir(path):
            path = os.path.join(path, "new")
        with open(path, "w") as file:
            file.write("written")
        print("wrote", path)
    except OSError as error:
        print(type(error).__name__, error.errno, path)
"""


async def test_the_repository_is_written_but_not_what_runs_later(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "home" / "a project")
    for path in (".husky/pre-commit", "env/pyvenv.cfg", "given/x"):
        folder.write(path)
    make_repository(folder.root / "vendor" / "lib", {"b": "y"})
    folder.git("config", "core.hooksPath", ".husky")
    commanded = await make_sandboxed(tmp_path, read_only=[folder.root / "given"])
    refused = (
        *(".git/hooks/post-checkout", ".git/config", ".git", ".husky/pre-commit", ".husky"),
        *("env/pyvenv.cfg", "given/x", "vendor/lib/.git/config", "vendor/lib/.git/hooks/x"),
    )
    written = ("a.txt", "new.txt", "vendor/lib/b", "/tmp/x", str(commanded.home / "x"))
    outcome = await commanded.sandboxed_python(WRITE_ALL, *refused, *written)
    lines = outcome.output.splitlines()
    assert [line.startswith("wrote") for line in lines] == [False] * len(refused) + [True] * 5
    assert (folder.root / "new.txt").read_text() == "written"
    assert not (commanded.home / "x").exists()
    assert not (folder.root / ".git" / "hooks" / "post-checkout").exists()


async def test_a_git_directory_is_neither_moved_nor_made_writable(tmp_path: Path) -> None:
    commanded = await make_sandboxed(tmp_path)
    code = """
import os, subprocess
for change in (lambda: os.rename(".git", "other"), lambda: os.rename(os.getcwd(), "/tmp/r")):
    try:
        change()
        print("moved")
    except OSError:
        pass
for command in (
    ["mount", "-o", "remount,rw,bind", ".git"],
    ["umount", ".git"],
    ["unshare", "-Urm", "mount", "-o", "remount,rw,bind", ".git"],
    ["unshare", "-Urm", "umount", ".git"],
):
    subprocess.run(command, capture_output=True)
    print(os.access(".git", os.W_OK), command)
print([line for line in open("/proc/self/status") if line.startswith("CapEff")])
"""
    outcome = await commanded.sandboxed_python(code)
    assert "moved" not in outcome.output
    assert "True" not in outcome.output
    assert "CapEff:\\t0000000000000000" in outcome.output
    assert (commanded.folder.root / ".git" / "HEAD").exists()


async def test_the_kernels_settings_are_not_written(tmp_path: Path) -> None:
    commanded = await make_sandboxed(tmp_path)
    opening = "import os; os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY); print('open' 'ed')"
    outcome = await commanded.sandboxed_python(opening)
    assert "opened" not in outcome.output
    assert outcome.exit_code == 1
    in_another = ("unshare", "-Urpfm", "--mount-proc", "python3", "-c", opening)
    assert "opened" not in (await commanded.run(*in_another, sandboxed=True)).output
    outcome = await commanded.sandboxed_python(READ_ALL, "/proc/kcore", "/proc/keys")
    assert set(json.loads(outcome.output).values()) <= {"", "PermissionError", "FileNotFoundError"}


async def test_git_works_there_and_so_does_python(tmp_path: Path) -> None:
    commanded = await make_sandboxed(tmp_path)
    commanded.folder.write("a.txt", "two\n")
    outcome = await commanded.run("git", "diff", "--stat", sandboxed=True)
    assert outcome.exit_code == 0, outcome.output
    assert "a.txt" in outcome.output
    code = "import hypothesis, tempfile, ssl, getpass; tempfile.TemporaryFile(); print('fine')"
    assert (await commanded.sandboxed_python(code)).output == "fine\n"


async def test_git_works_in_a_linked_worktree(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "main", {"a.txt": "x\n"})
    place = tmp_path / "home" / "a project"
    main.git("worktree", "add", "-q", "-b", "linked", str(place))
    commanded = await make_sandboxed(tmp_path)
    outcome = await commanded.run("git", "log", "--oneline", sandboxed=True)
    assert outcome.exit_code == 0, outcome.output
    hook = main.root / ".git" / "hooks" / "post-checkout"
    outcome = await commanded.sandboxed_python(WRITE_ALL, str(hook), ".git")
    assert "wrote" not in outcome.output
    assert not hook.exists()


async def test_there_is_no_network(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = """
import socket, sys
for address in (("127.0.0.1", int(sys.argv[1])), ("1.1.1.1", 53)):
    try:
        socket.create_connection(address, timeout=30)
        print("connected")
    except OSError as error:
        print(type(error).__name__)
"""
        commanded = await make_sandboxed(tmp_path)
        outcome = await commanded.sandboxed_python(code, str(port))
    assert "connected" not in outcome.output
    assert len(outcome.output.splitlines()) == 2


async def test_no_other_process_is_seen(tmp_path: Path) -> None:
    commanded = await make_sandboxed(tmp_path)
    code = "import os; print(sum(name.isdecimal() for name in os.listdir('/proc')) < 5)"
    assert (await commanded.sandboxed_python(code)).output == "True\n"
