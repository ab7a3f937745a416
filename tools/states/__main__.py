"""Takes the pictures of the panel's states again, and measures their boxes.

    python -m tools.states

Both are kept in `tests/e2e/states`. Set `CHROMIUM` to the browser's program if it isn't
`/usr/bin/chromium`.
"""

import os
import sys
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.e2e.installed import Installed, programs
from tools.states.looks import renew
from tools.states.stage import FLAGS, LIMIT_MS, open_stage


def main() -> None:
    """Take them."""
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    expect.set_options(timeout=LIMIT_MS)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        playwright = stack.enter_context(sync_playwright())
        browser = stack.enter_context(
            closing(playwright.chromium.launch(executable_path=chromium, args=[*FLAGS]))
        )
        venv = Path(sys.prefix)
        installed = Installed(venv, f"{venv / 'bin'}:{programs(folder / 'programs')}")
        stage = stack.enter_context(open_stage(browser, installed, folder))
        renew(stage, sys.stderr.write)


if __name__ == "__main__":
    main()
