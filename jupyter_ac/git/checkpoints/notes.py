"""What a checkpoint records beside the files: what was left out or ignored, folders, permissions.

A checkpoint is one git tree with three entries: the files, the index as git prints it, and these
notes as JSON. The state folder is untrusted, so everything that is read from it is checked.
"""

import json
import stat
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.errors import Conflict
from jupyter_ac.git.paths import is_stored_path
from jupyter_ac.ids import RepoPath

FILES: Final = "files"
INDEX: Final = "index"
NOTES: Final = "notes"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file or folder that a checkpoint doesn't include.

    Attributes:
        path: a folder's ends in `/`.
        reason: why, as the end of a sentence that begins with the path.
        sign: changes with the file's content; "" for folders.
    """

    path: str
    reason: str
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Permissions:
    """The permission bits of files, which git doesn't store.

    Attributes:
        usual: of most files, by git's mode.
        others: of all other files, by path.
    """

    usual: Mapping[str, int] = field(default_factory=dict)
    others: Mapping[RepoPath, int] = field(default_factory=dict)

    @classmethod
    def of(cls, found: Mapping[RepoPath, tuple[str, int]]) -> "Permissions":
        """Sort the git mode and the permission bits of files."""
        counts = Counter(found.values())
        usual: dict[str, int] = {}
        for (mode, bits), _ in counts.most_common():
            usual.setdefault(mode, bits)
        others = {path: bits for path, (mode, bits) in found.items() if usual[mode] != bits}
        return cls(usual, others)

    def st_mode(self, path: RepoPath, git_mode: str) -> int:
        """Return the `st_mode` of a regular file; private if it isn't known."""
        owner = 0o700 if git_mode == "100755" else 0o600
        bits = self.others.get(path, self.usual.get(git_mode, owner))
        executable = bits & 0o700 | 0o100 if git_mode == "100755" else bits & 0o600
        return stat.S_IFREG | executable | bits & 0o077


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of one checkpoint.

    Attributes:
        left_out: what it doesn't include.
        ignored: what git ignored; folders end in `/`.
        folders: folders without any included file.
        permissions: of the included files.
    """

    left_out: tuple[LeftOut, ...] = ()
    ignored: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    permissions: Permissions = field(default_factory=Permissions)

    def encode(self) -> bytes:
        """Return the stored form, the same for equal notes."""
        stored = {
            "left_out": [[one.path, one.reason, one.sign] for one in self.left_out],
            "ignored": sorted(self.ignored),
            "folders": sorted(self.folders),
            "usual": dict(sorted(self.permissions.usual.items())),
            "others": dict(sorted(self.permissions.others.items())),
        }
        return json.dumps(stored).encode("ascii")

    @classmethod
    def decode(cls, data: bytes) -> "Notes":
        """Parse the stored form.

        Raises:
            Conflict: it is damaged.
        """
        try:
            stored = json.loads(data)
            return cls(
                tuple(LeftOut(*map(_text, row)) for row in stored["left_out"]),
                frozenset(map(_text, stored["ignored"])),
                frozenset(map(_path, stored["folders"])),
                Permissions(
                    _bits(stored["usual"]),
                    {RepoPath(path): bits for path, bits in _bits(stored["others"]).items()},
                ),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Conflict("The checkpoint is damaged, so it can't be used.") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _path(value: object) -> str:
    path = _text(value)
    if not is_stored_path(path):
        raise ValueError("not a path")
    return path


def _bits(stored: Mapping[str, object]) -> dict[str, int]:
    return {name: int(str(bits)) & 0o777 for name, bits in stored.items()}
