"""Lists the programs in git's configuration, and the repository's files that belong to them.

Whoever can change such a file decides what is executed when git next uses the program: at a commit,
a checkout, or at `git status` in a terminal.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from jupyter_ac.git.command_files import files_named
from jupyter_ac.git.configuration import (
    Setting,
    in_working_tree,
    key_parts,
    last_value,
    read_configuration,
    settings_in,
)
from jupyter_ac.git.repository import Repository

FILTER: Final = "filter"
SIGNING: Final = "signing"
HOOKS: Final = "hooks"
INCLUDE: Final = "include"

_ANY: Final = "*"
_KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "filter": dict.fromkeys(("clean", "smudge", "process"), FILTER),
    "lfs": dict.fromkeys(("clean", "smudge", "path", "args"), FILTER),
    "core": {
        "hookspath": HOOKS,
        "fsmonitor": "fsmonitor",
        "askpass": "credential",
        "sshcommand": "transport",
        "gitproxy": "transport",
        "alternaterefscommand": "transport",
        "editor": "editor",
        "pager": "pager",
    },
    "include": {"path": INCLUDE},
    "includeif": {"path": INCLUDE},
    "gpg": {"program": SIGNING, "defaultkeycommand": SIGNING},
    "hook": {"command": "hook"},
    "diff": dict.fromkeys(("external", "command", "textconv"), "diff"),
    "interactive": {"difffilter": "diff"},
    "merge": {"driver": "merge"},
    "alias": {_ANY: "alias"},
    "credential": {"helper": "credential"},
    "remote": dict.fromkeys(("uploadpack", "receivepack", "vcs", "url", "pushurl"), "transport"),
    "uploadpack": {"packobjectshook": "transport"},
    "imap": {"tunnel": "transport"},
    "sendemail": dict.fromkeys(("tocmd", "cccmd", "headercmd", "smtpserver"), "transport"),
    "sequence": {"editor": "editor"},
    "pager": {_ANY: "pager"},
    "difftool": {"cmd": "tool", "path": "tool"},
    "mergetool": {"cmd": "tool", "path": "tool"},
    "guitool": {"cmd": "tool"},
    "browser": {"cmd": "tool", "path": "tool"},
    "man": {"cmd": "tool", "path": "tool"},
    "web": {"browser": "tool"},
    "instaweb": {"httpd": "tool"},
    "trailer": {"command": "tool", "cmd": "tool"},
    "tar": {"command": "tool"},
    "submodule": {"update": "submodule"},
}
"""By section and variable; the part between them is a name chosen by the user."""

_MOST_ENTRIES: Final = 1000
_MOST_LINKS: Final = 100
_expand: Final = os.path.expanduser
_SWITCHED: Final = frozenset({"fsmonitor", "pager"})
_SWITCHES: Final = frozenset({"true", "false", "yes", "no", "on", "off", "0", "1"})
HOOK_NAMES: Final = (
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit"),
    *("prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase", "post-checkout"),
    *("post-merge", "pre-push", "pre-receive", "update", "proc-receive", "post-receive"),
    *("post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite"),
    *("sendemail-validate", "fsmonitor-watchman", "p4-changelist", "p4-prepare-changelist"),
    *("p4-post-changelist", "p4-pre-submit", "post-index-change"),
)
"""All hooks of githooks(5)."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program, or a folder or file of programs, that git's configuration names.

    Attributes:
        kind: filter, signing, hooks (a folder), include (a further file of configuration), hook,
            fsmonitor, diff, merge, alias, credential, transport, editor, pager, tool or submodule.
        name: its key in git's configuration.
        command: as in the configuration.
        scope: system, global, local, worktree, or command (from the environment).
        files: paths of the working tree that it names, whether or not they exist; folders end in
            `/`.
        is_of_repository: it comes with the repository, and not from the user's own configuration.
    """

    kind: str
    name: str
    command: str
    scope: str
    files: tuple[str, ...] = ()
    is_of_repository: bool = False

    @property
    def places(self) -> tuple[str, ...]:
        """Its files, and their folders: a program may load files beside itself.

        The top folder is left out: a file in it counts alone.
        """
        found: dict[str, None] = {}
        for path in self.files:
            folder = path if path.endswith("/") else f"{path.rpartition('/')[0]}/"
            found[path] = None
            if folder != "/":
                found[folder] = None
        return tuple(found)


async def configured_programs(repository: Repository) -> list[Program]:
    """Return all programs in git's configuration, of every scope.

    Raises:
        GitError: the configuration can't be read.
    """
    settings = settings_in(repository, await read_configuration(repository))
    return programs_in(repository, settings)


def programs_in(repository: Repository, settings: Sequence[Setting]) -> list[Program]:
    """Return the programs among configuration entries; reads names in the working tree."""
    found = [
        Program(
            kind,
            each.key,
            each.value,
            each.scope,
            _files(repository, kind, each),
            each.is_of_repository,
        )
        for each in settings
        if (kind := _kind(each)) is not None
    ]
    return [*found, *_files_of_configuration(repository, settings)]


def _files_of_configuration(
    repository: Repository, settings: Sequence[Setting]
) -> Iterator[Program]:
    """Yield the working tree's files that git reads as configuration, also by the user's wish."""
    inside = {
        each.origin: each
        for each in settings
        if each.origin and in_working_tree(repository, each.origin)
    }
    for origin, setting in inside.items():
        path = os.path.relpath(origin, repository.root)
        yield Program(INCLUDE, "config", path, setting.scope, (path,), is_of_repository=True)


def hooks_folder(repository: Repository, settings: Sequence[Setting]) -> str:
    """Return the absolute path of git's hooks folder; it need not exist."""
    setting = last_value(settings, "core.hookspath")
    if setting is None or not setting.value:
        return str(repository.common_dir / "hooks")
    return os.path.normpath(repository.root / _expanded(setting.value))


def _kind(setting: Setting) -> str | None:
    """Return the kind of program that an entry names; None if it names none."""
    value = setting.value.strip()
    section, _, variable = key_parts(setting.key)
    variables = _KINDS.get(section, {})
    kind = variables.get(variable, variables.get(_ANY))
    if not value or (kind in _SWITCHED and value.lower() in _SWITCHES):
        return None
    if kind == "submodule" and not value.startswith("!"):
        return None
    if variable.endswith("url") and not value.startswith(("ext::", "fd::")):
        return None
    return kind


def _files(repository: Repository, kind: str, setting: Setting) -> tuple[str, ...]:
    if kind not in {HOOKS, INCLUDE}:
        named = files_named(repository.root, setting.value)
        is_git = kind == "alias" and not setting.value.lstrip().startswith("!")
        return named if is_git else (*named, *_linked(repository.root, named))
    # The path of an included file is relative to the including file.
    base = Path(setting.origin).parent if kind == INCLUDE and setting.origin else Path()
    place = os.path.normpath(repository.root / base / _expanded(setting.value))
    found: dict[str, None] = {}
    for absolute in (place, os.path.realpath(place)):
        path = os.path.relpath(absolute, repository.root)
        if path == "." and kind == HOOKS:
            found.update(dict.fromkeys(HOOK_NAMES))
        elif path != "." and path.partition("/")[0] != "..":
            found[f"{path}/" if kind == HOOKS else path] = None
    return tuple(found)


def _linked(root: Path, named: Sequence[str]) -> list[str]:
    """Return the targets of links beside the files: a program may load through them."""
    folders = {folder for path in named if (folder := path.rpartition("/")[0])}
    found: dict[str, None] = {}
    for folder in sorted(folders):
        for link in islice(_links_below(root / folder), _MOST_LINKS):
            target = Path(os.path.realpath(link))
            if target != root and target.is_relative_to(root):
                path = os.path.relpath(target, root)
                found[f"{path}/" if target.is_dir() else path] = None
    return [path for path in found if path not in named]


def _links_below(folder: Path) -> Iterator[Path]:
    looked_at = 0
    for place, folders, files in os.walk(folder):
        looked_at += len(folders) + len(files)
        if looked_at > _MOST_ENTRIES:  # too large to be allowed
            return
        yield from (link for name in (*folders, *files) if (link := Path(place, name)).is_symlink())


def _expanded(value: str) -> str:
    return _expand(value.removeprefix(":(optional)"))
