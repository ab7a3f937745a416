"""The languages whose code can be checked, by the names that callers and notebooks use."""

from collections.abc import Mapping
from typing import Final

from jupyter_ac.errors import InvalidParams

NOTEBOOK: Final = "notebook"
PYTHON: Final = "python"
JAVASCRIPT: Final = "javascript"

KNOWN: Final = (
    *(NOTEBOOK, PYTHON, JAVASCRIPT, "typescript", "tsx", "json", "yaml", "toml"),
    *("bash", "c", "cpp", "csharp", "css", "go", "html", "java", "julia", "kotlin", "lua", "php"),
    *("r", "ruby", "rust", "scala", "sql"),
)
"""As the index names them, and notebooks."""

_OTHER_NAMES: Final[Mapping[str, str]] = {
    "py": PYTHON,
    "python3": PYTHON,
    "ipython": PYTHON,
    "ipynb": NOTEBOOK,
    "jupyter": NOTEBOOK,
    "js": JAVASCRIPT,
    "jsx": JAVASCRIPT,
    "mjs": JAVASCRIPT,
    "cjs": JAVASCRIPT,
    "node": JAVASCRIPT,
    "ts": "typescript",
    "yml": "yaml",
    "sh": "bash",
    "shell": "bash",
    "c++": "cpp",
    "c#": "csharp",
    "cs": "csharp",
    "golang": "go",
    "rs": "rust",
    "rb": "ruby",
    "kt": "kotlin",
    "jl": "julia",
}


def language_key(name: str) -> str:
    """Return the name that a language has here.

    Args:
        name: in any case; also its usual endings of files.

    Raises:
        InvalidParams: its code can't be checked.
    """
    small = name.strip().lower().removeprefix(".")
    found = _OTHER_NAMES.get(small, small)
    if found not in KNOWN:
        raise InvalidParams(
            f"language: code in {name[:60]!r} can't be checked; take one of {', '.join(KNOWN)}.",
            {"path": "$.language"},
        )
    return found
