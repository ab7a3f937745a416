"""Paths of the user's settings and of the machine's caches.

The folders need not exist: whoever writes into one creates it.
"""

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_config_dir

CONFIG_VARIABLE: Final = "JUPYTER_AC_CONFIG_DIR"
CACHE_VARIABLE: Final = "JUPYTER_AC_CACHE_DIR"

_FOLDER: Final = "jupyter_ac"


def config_dir(environ: Mapping[str, str]) -> Path:
    """Return the folder of `llm.json`, `app.json` and the prompts.

    It is `JUPYTER_AC_CONFIG_DIR`, or `jupyter_ac` in Jupyter's own configuration directory.
    """
    named = environ.get(CONFIG_VARIABLE, "").strip()
    return _absolute(named) if named else Path(jupyter_config_dir()) / _FOLDER


def cache_dir(environ: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the folder for caches, which can be deleted at any time.

    It is `JUPYTER_AC_CACHE_DIR`, or `jupyter_ac` in the platform's cache folder.
    """
    named = environ.get(CACHE_VARIABLE, "").strip()
    if named:
        return _absolute(named)
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / _FOLDER
    if platform == "win32" and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / _FOLDER / "Cache"
    xdg = environ.get("XDG_CACHE_HOME", "").strip()
    return (_absolute(xdg) if xdg else Path.home() / ".cache") / _FOLDER


def worktree_folder(environ: Mapping[str, str], common_dir: Path) -> Path:
    """Return the folder for the worktrees of tasks of one repository.

    Args:
        environ: the environment.
        common_dir: the git directory that all worktrees of the repository share.
    """
    key = hashlib.sha256(os.fsencode(os.path.realpath(common_dir))).hexdigest()[:24]
    return cache_dir(environ) / "worktrees" / key


def url_cache_folder(environ: Mapping[str, str], path: str) -> Path:
    """Return the folder of fetched web pages, a folder of its own in any case.

    Args:
        environ: the environment.
        path: the setting `url_cache.path`, "" for the folder for caches.
    """
    return (_absolute(path) if path else cache_dir(environ)) / "urls"


def _absolute(named: str) -> Path:
    return Path(named).expanduser().absolute()
