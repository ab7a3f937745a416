"""YAML, and which files are nested too deep for its grammar."""

import re
from typing import Final

from jupyter_ac.index.languages.language import Language, Reading

_DEEP: Final = re.compile(rb"^[ \t?:-]{200}", re.MULTILINE)
_MARKERS: Final = 100


def _is_too_deep(data: bytes) -> bool:
    if _DEEP.search(data):
        return True
    return any(
        len(line) > 2 * _MARKERS and line.count(b"- ") + line.count(b"? ") > _MARKERS
        for line in data.split(b"\n")
    )


YAML: Final = Language(
    "yaml",
    (".yaml", ".yml"),
    ("tree_sitter_yaml", "language"),
    reading=Reading(is_settings=True, is_too_deep=_is_too_deep),
)
