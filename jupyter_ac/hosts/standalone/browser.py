"""Opens the panel's page in the person's browser.

A program's arguments can be read by every user of the machine, so the address with its token isn't
one of them: the browser gets a file of its owner's that leads there.
"""

import html
import logging
import os
import sys
import threading
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from jupyter_core.paths import jupyter_runtime_dir

logger = logging.getLogger(__name__)

_SCREENS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
_LEAD: Final = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>jupyter_ac</title>
<p><a href="{address}">Open the panel</a></p>
"""


def has_screen(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Say whether a browser could show itself; one for the terminal would take the terminal."""
    return platform == "darwin" or any(environ.get(name) for name in _SCREENS)


class PageOpener:
    """Opens pages and tidies up in the end; a context manager.

    Args:
        port: of the server.
        folder: for the file that leads to the page; Jupyter's runtime folder when None.
    """

    def __init__(self, port: int, folder: Path | None = None) -> None:
        self._lead = (folder or Path(jupyter_runtime_dir())) / f"jupyter-ac-{port}.html"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        """Remove the file; it holds the token."""
        with suppress(OSError):
            self._lead.unlink()

    def open(self, address: str) -> threading.Thread:
        """Open a page from a thread of its own, which nobody needs to wait for."""
        opening = threading.Thread(
            target=self._open, args=(address,), name="jupyter_ac browser", daemon=True
        )
        opening.start()
        return opening

    def _open(self, address: str) -> None:
        try:
            self._write(address)
            if not webbrowser.open(self._lead.as_uri(), new=2):
                logger.info("no browser was found")
        except (OSError, webbrowser.Error) as error:
            # The address has been printed as well.
            logger.info("the browser could not be started: %s", type(error).__name__)

    def _write(self, address: str) -> None:
        self._lead.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lead.unlink(missing_ok=True)
        descriptor = os.open(self._lead, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(_LEAD.format(address=html.escape(address)))
