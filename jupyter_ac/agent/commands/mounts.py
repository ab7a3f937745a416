"""What a command in the sandbox sees of the disk; all else isn't there.

Shown, but not writable: the system's programs, the Python that runs here and its environment, the
folders of PATH and of common version managers, and of `/etc` the names and certificates. The
repository is writable, but neither its git directories nor what runs by itself later, outside of
the sandbox. The home folder, `/run` and the folder for temporary files are empty: a read-only copy
of the disk would show keys and the tokens of Jupyter's servers. This program's own state and
Jupyter's folders are empty too, wherever they lie.
"""

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir, jupyter_runtime_dir

from jupyter_ac.agent.commands.environment import SANDBOX_TEMP, absolute_entries
from jupyter_ac.errors import Unsupported
from jupyter_ac.git.repository import Repository
from jupyter_ac.settings.paths import config_dir
from jupyter_ac.store.state_paths import FOLDER as STATE_FOLDER

_SYSTEM: Final = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"),
    *("/nix/store", "/gnu/store"),
    # Names, users, certificates, the linker's folders: no passwords and no private keys.
    *("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf"),
    *("/etc/localtime", "/etc/timezone", "/etc/os-release", "/etc/protocols", "/etc/services"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust"),
    *("/etc/ca-certificates", "/etc/mime.types", "/etc/magic", "/etc/fonts", "/etc/terminfo"),
    "/etc/java",
)
_KERNEL_SETTINGS: Final = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi")
"""In /proc. Root may write them even without its rights: `core_pattern` there names a program that
the kernel runs outside of any sandbox. bwrap takes them for read-only and leaves them so."""

_KERNEL_MEMORY: Final = ("kcore", "keys", "kmsg", "timer_list", "sched_debug")
_EMPTY: Final = (SANDBOX_TEMP, f"/var{SANDBOX_TEMP}", "/run")
_VARIABLES: Final = ("VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME", "GOROOT")
_BESIDE_PROGRAMS: Final = ("lib", "lib64", "libexec", "include")
_VERSION_MANAGERS: Final = (
    *(".rustup", ".nvm/versions", ".fnm", ".volta/tools", ".sdkman/candidates"),
    *(".pyenv", ".rbenv", ".asdf", ".local/share/mise/installs"),
    *(".local/share/uv/python", ".local/share/uv/tools", ".local/share/fnm"),
    *(".local/share/pipx/venvs", ".local/pipx/venvs", ".local/share/pnpm"),
    *("miniconda3", "miniforge3", "mambaforge", "anaconda3", ".julia/juliaup"),
)
"""In a home folder: programs, and nothing that anybody signs in with."""

_ENVIRONMENT_FILE: Final = "pyvenv.cfg"
_NOT_SEARCHED: Final = frozenset({".git", "node_modules", "__pycache__"})
_MAX_DEPTH: Final = 4
_MAX_FOLDERS: Final = 4000
_MAX_PROTECTED: Final = 500


@dataclass(frozen=True, slots=True)
class Mounts:
    """What a command sees; of two entries for one place the later kind counts, in this order.

    Attributes:
        links: targets of the system's links, such as `/bin`, by their paths.
        system: shown read-only.
        kernel_settings: in the sandbox's own /proc, read-only.
        kernel_memory: in the sandbox's own /proc, empty.
        empty: empty, writable folders that end with the command.
        programs: shown read-only; none lies in another.
        root: the repository, writable.
        protected: read-only; in the repository, or its git directories elsewhere; 500 at most.
        hidden: folders in the above that are empty here.
        home: the home folder of the command, one of `empty`.
    """

    links: Mapping[Path, str]
    system: tuple[Path, ...]
    kernel_settings: tuple[Path, ...]
    kernel_memory: tuple[Path, ...]
    empty: tuple[Path, ...]
    programs: tuple[Path, ...]
    root: Path
    protected: tuple[Path, ...]
    hidden: tuple[Path, ...]
    home: Path

    def shows(self, path: Path) -> bool:
        """Whether a file is seen at its own path, if it exists; links must be resolved."""
        if _is_in(path, self.hidden):
            return False
        return _is_in(path, (*self.system, *self.programs, self.root, *self.protected))


def find_mounts(
    repository: Repository,
    environ: Mapping[str, str],
    read_only: Iterable[Path] = (),
    shown: Iterable[Path] = (),
) -> Mounts:
    """Look what a command in a repository may see; reads the disk.

    Repositories in folders of the repository are protected down to the fourth level.

    Args:
        repository: of the command.
        environ: of this process.
        read_only: further files and folders of the repository that a command doesn't change; those
            that don't exist are left out.
        shown: folders elsewhere that a command sees, read-only; those that exist.

    Raises:
        Unsupported: nothing could be hidden, because the repository holds the home folder or
            Jupyter's own files, or its git directory can't be protected.
    """
    home = Path(os.path.realpath(environ.get("HOME", "") or Path.home()))
    private = _private(repository, environ)
    _require_separate(repository, home, private)
    system = [path for path in map(Path, _SYSTEM) if os.access(path, os.R_OK)]
    links = {path: str(path.readlink()) for path in system if path.is_symlink() and _is_top(path)}
    system = [path for path in system if path not in links]
    empty = [*map(Path, _EMPTY), *([] if home == Path(home.anchor) else [home])]
    found = [*_programs(environ, home), *(_resolved(path) for path in shown if path.exists())]
    is_outside = [path for path in found if not path.is_relative_to(repository.root)]
    inside = [path for path in found if path.is_relative_to(repository.root)]
    protected = _protected(repository, (*inside, *read_only))
    seen = (repository.root, *protected, *is_outside)
    return Mounts(
        links=links,
        system=tuple(system),
        kernel_settings=_in_proc(_KERNEL_SETTINGS),
        kernel_memory=_in_proc(_KERNEL_MEMORY),
        empty=_outer_first(empty),
        programs=_outermost(path for path in is_outside if not _is_in(path, (*system, *links))),
        root=repository.root,
        protected=protected,
        hidden=_outer_first(path for path in private if _is_in(path, seen)),
        home=home if home in empty else Path(SANDBOX_TEMP),
    )


def _in_proc(names: Iterable[str]) -> tuple[Path, ...]:
    places = (Path("/proc", name) for name in names)
    return tuple(path for path in places if os.access(path, os.F_OK))


def _is_top(path: Path) -> bool:
    return path.parent == Path(path.anchor)


def _private(repository: Repository, environ: Mapping[str, str]) -> list[Path]:
    """Return the folders that hold tokens, keys and conversations, those that exist."""
    named = (
        *map(Path, (jupyter_runtime_dir(), jupyter_config_dir(), jupyter_data_dir())),
        config_dir(environ),
        repository.common_dir / STATE_FOLDER,
    )
    return [path for path in map(_resolved, named) if _is_folder(path)]


def _require_separate(repository: Repository, home: Path, private: Sequence[Path]) -> None:
    root = repository.root
    if home.is_relative_to(root):
        raise Unsupported("The repository holds the home folder, so a sandbox would hide nothing.")
    if any(root.is_relative_to(path) for path in private):
        raise Unsupported("The repository is in a folder with Jupyter's or this program's keys.")
    if root.is_relative_to(repository.common_dir):
        raise Unsupported("The working tree is in its git directory, which is to be protected.")
    if (root / ".git").is_symlink():
        raise Unsupported(
            "`.git` is a link, which a command could replace; move the git directory there."
        )


def _programs(environ: Mapping[str, str], home: Path) -> Iterator[Path]:
    """Yield folders with programs outside of the system's, as named and with links resolved."""
    named = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).parent]
    named += [Path(environ[name]) for name in _VARIABLES if environ.get(name)]
    named += [home / path for path in _VERSION_MANAGERS]
    for entry in map(Path, absolute_entries(environ.get("PATH", ""))):
        named.append(entry)
        if entry.name == "bin":
            named += [entry.parent / name for name in _BESIDE_PROGRAMS]
    not_shown = [*map(Path, _EMPTY), home, Path("/proc"), Path("/dev"), Path("/etc")]
    for path in named:
        for place in {Path(os.path.normpath(path)), _resolved(path)}:
            is_wide = any(other.is_relative_to(place) for other in not_shown)
            if place.is_absolute() and not is_wide and _is_folder(place):
                yield place


def _protected(repository: Repository, further: Iterable[Path]) -> tuple[Path, ...]:
    root = repository.root
    named = (
        *(root / ".git", repository.common_dir, repository.git_dir),
        *further,
        *_run_later(root),
    )
    found = dict.fromkeys(_resolved(path) for path in named if os.path.lexists(path))
    own = {repository.common_dir, repository.git_dir}
    kept = [
        path
        for path in found
        # A link's target elsewhere isn't seen; a folder around the repository would make it all
        # read-only.
        if path in own or (path.is_relative_to(root) and path != root)
    ]
    return _outermost(kept[:_MAX_PROTECTED])


def _run_later(root: Path) -> Iterator[Path]:
    """Yield git directories of repositories inside, and Python environments, nearest first."""
    waiting = deque([(root, 0)])
    for _ in range(_MAX_FOLDERS):
        if not waiting:
            return
        folder, depth = waiting.popleft()
        for entry in _entries(folder):
            if entry.name == ".git" and folder != root:
                yield Path(entry.path)
            elif entry.name == _ENVIRONMENT_FILE:
                yield folder
            is_searched = depth < _MAX_DEPTH and entry.name not in _NOT_SEARCHED
            if is_searched and entry.is_dir(follow_symlinks=False):
                waiting.append((Path(entry.path), depth + 1))


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # it is gone, or nobody may look into it
        return []


def _is_folder(path: Path) -> bool:
    """Whether there is a folder that this user may read; what they may not, a command can't."""
    return os.access(path, os.R_OK | os.X_OK) and path.is_dir()


def _resolved(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _outermost(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Leave out what lies in another one: bwrap would follow the links that lead there."""
    found: dict[Path, None] = {}
    for path in _outer_first(paths):
        if found.keys().isdisjoint(path.parents):
            found[path] = None
    return tuple(found)


def _outer_first(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(set(paths), key=lambda path: (len(path.parts), path)))
