"""Names of generated files and folders that seldom belong into a commit."""

from collections.abc import Collection, Iterable
from typing import Final

_FOLDERS: Final = frozenset(
    {
        *("node_modules", "bower_components", "jspm_packages", "site-packages", "__pypackages__"),
        *("dist", "build", "target", "_build", "htmlcov", "coverage", ".eggs", "_site"),
        *("__pycache__", ".venv", "venv", ".tox", ".nox", ".gradle", ".terraform"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".cache", ".parcel-cache"),
        *(".next", ".nuxt", ".svelte-kit", ".turbo", ".ipynb_checkpoints", ".virtual_documents"),
    }
)
_ENDINGS: Final = (".egg-info", ".dist-info")
_ENVIRONMENT: Final = "/pyvenv.cfg"


def environments(paths: Iterable[str]) -> set[str]:
    """Return the folders that are virtual environments of Python, whatever their names."""
    return {path.removesuffix(_ENVIRONMENT) for path in paths if path.endswith(_ENVIRONMENT)}


def generated_folder(path: str, further: Collection[str] = ()) -> str:
    """Return the outermost generated folder of a path; "" if there is none.

    Args:
        path: git path of a file.
        further: further folders that are known to be generated.
    """
    at = path.find("/")
    while at >= 0:
        folder = path[:at]
        name = folder.rpartition("/")[2]
        if name.lower() in _FOLDERS or name.endswith(_ENDINGS) or folder in further:
            return folder
        at = path.find("/", at + 1)
    return ""
