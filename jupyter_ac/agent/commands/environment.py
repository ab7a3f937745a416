"""The environment of a command: what programs need to be found and to print, and no credentials.

An allow-list, because nobody knows the names of all tokens. Not in it are all settings of programs
(`*_OPTIONS`, `GIT_*`, proxies with their passwords), Jupyter's variables, agents and sockets
(`SSH_AUTH_SOCK`, `DBUS_*`, `DISPLAY`), and the variables that load code into other programs
(`LD_PRELOAD`, `NODE_OPTIONS`). `PYTHONPATH` is not in it either: it is what Jupyter was started
with, and would put Jupyter's modules in front of the project's.
"""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Final

from jupyter_ac.workers.redaction import is_secret_name, redact_with, secrets_of

MARK: Final = "JUPYTER_AC_COMMAND"
"""The variable by which the processes of a command are found that have left its group."""

SANDBOX_TEMP: Final = f"{os.sep}tmp"
"""The folder for temporary files in the sandbox, its own."""

_ALLOWED: Final = re.compile(
    r"PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|VIRTUAL_ENV|CONDA_PREFIX"
    r"|CONDA_DEFAULT_ENV|JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|RUSTUP_TOOLCHAIN"
)
_FIXED: Final[Mapping[str, str]] = {
    # No colours, no progress bars, no pager, no questions, no lock in the git directory.
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
}


def command_environment(
    environ: Mapping[str, str], folders: Sequence[str] = (), *, is_sandboxed: bool
) -> dict[str, str]:
    """Return the environment of a command.

    Args:
        environ: of this process.
        folders: of programs to be found when no folder of PATH has them.
        is_sandboxed: it has a folder for temporary files of its own.
    """
    secrets = secrets_of(environ)
    found = {
        name: value
        for name, value in environ.items()
        if _ALLOWED.fullmatch(name) and not is_secret_name(name)
        # A name that is allowed may still hold what an address with a password does.
        if redact_with(value, secrets) == value
    }
    entries = [*absolute_entries(found.get("PATH", os.defpath)), *folders]
    found["PATH"] = os.pathsep.join(dict.fromkeys(entries))
    if is_sandboxed:
        found["TMPDIR"] = SANDBOX_TEMP
    return {**found, **_FIXED}


def absolute_entries(search_path: str) -> list[str]:
    """Return the entries of a PATH without relative ones, which would be those of a repository."""
    return [entry for entry in search_path.split(os.pathsep) if entry.startswith(os.sep)]
