"""The environment that git runs in.

Git reads its configuration from the machine, the user and the repository. The first two may change
the formats that our parsers read, the third may name programs to run; entries from the environment
are stronger than all of them.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

_NEUTRAL_CONFIG: Final[Mapping[str, str]] = {
    # Programs that a repository's own configuration could name.
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.askPass": "",
    "core.editor": ":",
    "core.pager": "cat",
    "credential.helper": "",
    "log.showSignature": "false",
    "safe.bareRepository": "explicit",
    "submodule.recurse": "false",
    # `git diff` would write the index, whatever GIT_OPTIONAL_LOCKS says.
    "diff.autoRefreshIndex": "false",
    # Messages are given and taken as UTF-8, and should say that they are.
    "i18n.commitEncoding": "UTF-8",
    "i18n.logOutputEncoding": "UTF-8",
    # Formats that a user's configuration could change under the parsers.
    "color.ui": "never",
    "column.ui": "never",
    "core.quotePath": "false",
    "diff.ignoreSubmodules": "dirty",
    "diff.orderFile": os.devnull,
    "diff.renames": "true",
    "diff.submodule": "short",
    "diff.suppressBlankEmpty": "false",
    "grep.column": "false",
    "grep.fallbackToNoIndex": "false",
    "grep.fullName": "false",
    "grep.patternType": "default",
    "grep.extendedRegexp": "false",
    "status.renames": "true",
    "status.relativePaths": "false",
    "status.showStash": "false",
    "status.submoduleSummary": "false",
}


# What git does beside its work when the user asks for that work.
_OF_THE_USER: Final = frozenset({"core.hooksPath", "credential.helper"})
_FETCHING: Final = frozenset({"GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL"})

# Whose configuration git reads, as HOME says it; containers say it like this.
_CONFIGURATION: Final = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"})
# Who commits.
_IDENTITY: Final = frozenset(
    f"GIT_{role}_{what}" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
)
# Languages and programs for a person, and the terminal where gpg would ask for a passphrase.
_ASKING: Final = frozenset({"LC_ALL", "LANGUAGE", "PAGER", "EDITOR", "VISUAL", "GPG_TTY"})
_MAX_ENTRIES: Final = 1000


def environment(
    directory: Path,
    further: Mapping[str, str],
    *,
    ceiling: bool,
    acting: bool = False,
    bytewise: bool = False,
) -> dict[str, str]:
    """Return this process's environment without `GIT_*`, plus what keeps git quiet and safe.

    Of `GIT_*` stays what names the user's configuration, and the user where git commits; what
    names another repository, index or program does not.

    Args:
        directory: where git will run.
        further: configuration entries beside the ones that every command gets.
        ceiling: True keeps git from looking for a repository above the directory.
        acting: True leaves hooks on, and lets a partial clone fetch what it lacks.
        bytewise: True takes bytes for letters.
    """
    wanted = _CONFIGURATION | _IDENTITY if acting else _CONFIGURATION
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in wanted or not (name.startswith("GIT_") or name in _ASKING)
    }
    left_alone = _OF_THE_USER if acting else frozenset()
    neutral = {key: value for key, value in _NEUTRAL_CONFIG.items() if key not in left_alone}
    # Of two entries the later one counts.
    config = [*own_entries(), *neutral.items(), *further.items()]
    for index, (name, value) in enumerate(config):
        kept[f"GIT_CONFIG_KEY_{index}"] = name
        kept[f"GIT_CONFIG_VALUE_{index}"] = value
    if ceiling and os.pathsep not in str(directory.parent):
        kept["GIT_CEILING_DIRECTORIES"] = str(directory.parent)
    quiet = {
        "PATH": _absolute_only(kept.get("PATH", os.defpath)),
        "GIT_CONFIG_COUNT": str(len(config)),
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
        "GIT_PAGER": "cat",
        "GIT_EDITOR": ":",
        "GIT_SEQUENCE_EDITOR": ":",
        # A partial clone would fetch what it lacks, by a program that its configuration names.
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "LANG": "C",
        "LC_MESSAGES": "C",
        "LC_CTYPE": "C"
        if bytewise
        else "C.UTF-8",  # so that `-i` and `-w` know letters beyond ASCII
        "TERM": "dumb",
    }
    if acting:
        quiet = {name: value for name, value in quiet.items() if name not in _FETCHING}
    return kept | quiet


def own_entries() -> Iterator[tuple[str, str]]:
    """Give the configuration entries that this process's own environment holds."""
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    for index in range(min(int(count), _MAX_ENTRIES) if count.isdecimal() else 0):
        name = os.environ.get(f"GIT_CONFIG_KEY_{index}")
        if name:
            yield name, os.environ.get(f"GIT_CONFIG_VALUE_{index}", "")


def _absolute_only(search_path: str) -> str:
    """Drop what is relative: git runs in the repository, which could hold a `git` of its own."""
    return os.pathsep.join(
        entry for entry in search_path.split(os.pathsep) if Path(entry).is_absolute()
    )
