"""Finds Chromium, Chrome or Edge on this machine."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from jupyter_ac.errors import NotFound

VARIABLE: Final = "CHROMIUM"
"""Environment variable with the path of the browser to take."""

_NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
)

_MAC_APPS: Final = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)


def find_browser(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """Give the path of a browser.

    Args:
        environ: whose `CHROMIUM` comes first, then the folders of `PATH`.
        platform: as `sys.platform`.

    Raises:
        NotFound: there is none.
    """
    configured = environ.get(VARIABLE, "")
    if configured:
        if not _is_program(Path(configured)):
            raise NotFound(f"The variable {VARIABLE} doesn't name a program: {configured}")
        return configured
    search_path = _absolute_folders(environ.get("PATH", os.defpath))
    for name in _NAMES:
        found = shutil.which(name, path=search_path)
        if found is not None:
            return found
    if platform == "darwin":
        roots = (Path("/Applications"), Path.home() / "Applications")
        for path in (root / app for root in roots for app in _MAC_APPS):
            if _is_program(path):
                return str(path)
    raise NotFound(
        "No Chromium, Chrome or Edge was found; install one, or set the variable "
        f"{VARIABLE} to its path."
    )


def _absolute_folders(search_path: str) -> str:
    """Leave out relative folders: the working directory may be anybody's."""
    folders = search_path.split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if Path(folder).is_absolute())


def _is_program(path: Path) -> bool:
    return path.is_absolute() and path.is_file() and os.access(path, os.X_OK)
