"""What git wrote to standard error, in a form that can be shown.

Git's messages name absolute paths (its configuration files, the working tree); a message that
leaves the process may not.
"""

import re
from pathlib import Path
from typing import Final

_MAX_CHARS: Final = 500
_PREFIX: Final = re.compile(r"^(?:fatal|error|warning|hint): ?", re.IGNORECASE)
_ABSOLUTE: Final = re.compile(r"(?<![\w.:/])(?:/[^\s'\":/]+)+/([^\s'\":/]+)/?")


def complaint(stderr: bytes, root: Path) -> str:
    """Return the message of a failed command on one line, without absolute paths.

    The first `fatal:` or `error:` line and what follows it; all that there is when none is marked.

    Args:
        stderr: standard error as it came.
        root: the directory that the command ran in; its path is left out of the message.
    """
    text = stderr.decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if line.lower().startswith(("fatal:", "error:"))]
    said = " ".join(_PREFIX.sub("", line) for line in (marked or lines))
    return shown(said, root) or "it gave no reason"


def shown(text: str, root: Path) -> str:
    """Return a text with the root's path taken out and other absolute paths cut to their name."""
    inside = text.replace(f"{root}/", "").replace(str(root), root.name)
    return _ABSOLUTE.sub(r"\1", inside)[:_MAX_CHARS]
