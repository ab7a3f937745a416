"""Bounds on the memory of each process of a command, and on their number in the sandbox.

They are the kernel's resource limits. Memory is what a process may write to (`RLIMIT_DATA`), not
its address space: JavaScript and Java reserve far more of that than they use. Processes, threads
included, are counted by user; but those of a sandbox are in a user namespace of their own, in which
Linux counts them by themselves from 5.14 on. All memory of a command together has no bound, and
where the user is root neither has the number of processes.
"""

import os
import re
import resource
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

MAX_PROCESSES: Final = 4096
"""Of a command in the sandbox, threads included."""

_MEMORY_SHARE: Final = 0.75
_GROUP_LIMIT: Final = Path("/sys/fs/cgroup/memory.max")
_FOLDERS: Final = "/usr/bin:/bin"
_COUNTED_APART: Final = (5, 14)
_RELEASE: Final = re.compile(r"(\d+)\.(\d+)")


def memory_limit(group_limit: Path = _GROUP_LIMIT) -> int:
    """Return the bytes that a process of a command may have: most of what there is here.

    Args:
        group_limit: the file with what the control group of this process may have, if it may not
            have all memory of the machine.
    """
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):
        whole = min(whole, int(group_limit.read_text()))
    return _allowed(resource.RLIMIT_DATA, int(_MEMORY_SHARE * whole))


def limited(
    argv: Sequence[str], shows: Callable[[Path], bool], release: str = os.uname().release
) -> list[str]:
    """Return the command line that runs a command of the sandbox within the bounds.

    Args:
        argv: the arguments, the program first.
        shows: whether a program can be seen in the sandbox; without `prlimit` there are no bounds.
        release: of the kernel.
    """
    program = shutil.which("prlimit", path=_FOLDERS)
    if program is None or not shows(Path(os.path.realpath(program))):
        return list(argv)
    options = [f"--data={memory_limit()}", "--core=0"]
    found = _RELEASE.match(release)
    if found is not None and (int(found[1]), int(found[2])) >= _COUNTED_APART:
        options.append(f"--nproc={_allowed(resource.RLIMIT_NPROC, MAX_PROCESSES)}")
    return [program, *options, "--", *argv]


def _allowed(kind: int, wanted: int) -> int:
    """Return a limit that is no higher than the one of this process, which can't be raised."""
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)


def limit_memory(pid: int) -> None:
    """Bound the memory of a process that has just begun, and of those that it starts from now on.

    Does nothing where the system can't.
    """
    if sys.platform == "linux":
        size = memory_limit()
        # It may have ended, or be bound to less.
        with suppress(ProcessLookupError, PermissionError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_DATA, (size, size))
