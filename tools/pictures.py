#!/usr/bin/env python3
"""Takes the pictures of the panel in the docs, and the animation, on the tour's repository.

    python tools/pictures.py [FOLDER]

They show the recorded example, so no key and no model is needed. The folder is `docs/images` if
none is named. Set `CHROMIUM` to the browser's program if it isn't `/usr/bin/chromium`.
"""

import io
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright

from tools.demo import REPOSITORY, make_repository

WIDE: Final = (1400, 900)
NARROW: Final = (320, 800)
FRAMED: Final = (1100, 700)
"""Sizes of the pages, in CSS pixels."""

PAUSE_MS: Final = 100
LAST_FRAME_S: Final = 2.0
LONGEST_S: Final = 20.0
QUALITY: Final = 60
LIMIT_MS: Final = 60_000
READY: Final = '[data-ac="app"][data-status="ready"]'
KEYS: Final = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "JUPYTER_AC_MODEL")


@dataclass(frozen=True)
class Frame:
    """A picture of an animation.

    Attributes:
        png: the picture.
        time_s: when it was taken, by any clock.
    """

    png: bytes
    time_s: float


@dataclass
class Recorder:
    """Takes frames of a page, between the steps of a script."""

    page: Page
    frames: list[Frame] = field(default_factory=list)

    def watch(self, seconds: float) -> None:
        """Take frames for some seconds, as far as the animation has room for them."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end and not self._is_full(now):
            self.frames.append(Frame(self.page.screenshot(), now))
            self.page.wait_for_timeout(PAUSE_MS)

    def _is_full(self, now: float) -> bool:
        return bool(self.frames) and now - self.frames[0].time_s > LONGEST_S - LAST_FRAME_S


def write_animation(frames: Sequence[Frame], path: Path) -> None:
    """Write pictures as one animated WebP file that repeats, at the pace at which they were taken.

    Args:
        frames: at least one, all of one size; the last one is shown for `LAST_FRAME_S`.
        path: of the file.
    """
    times = [frame.time_s for frame in frames]
    shown = [round((later - now) * 1000) for now, later in itertools.pairwise(times)]
    first, *others = (Image.open(io.BytesIO(frame.png)).convert("RGB") for frame in frames)
    first.save(
        path,
        format="WEBP",
        save_all=True,
        append_images=others,
        duration=[*shown, round(LAST_FRAME_S * 1000)],
        loop=0,
        quality=QUALITY,
        method=4,
    )


@contextmanager
def served_tour(folder: Path) -> Iterator[str]:
    """Serve a new repository of the tour and give the page's address."""
    make_repository(folder / REPOSITORY)
    (folder / "home").mkdir()
    own = {name: value for name, value in os.environ.items() if name not in KEYS}
    command = (sys.executable, "-m", "jupyter_ac", "serve", "--no-browser", "--server-port", "0")
    with subprocess.Popen(
        [*command, "--repo", str(folder / REPOSITORY)],
        env=own | {"HOME": str(folder / "home")},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            lines = process.stdout or io.StringIO()
            _ready, shown = lines.readline(), lines.readline()
            yield shown.split()[2]
        finally:
            process.terminate()


@contextmanager
def open_page(
    browser: Browser, address: str, size: tuple[int, int], scheme: Literal["light", "dark"]
) -> Iterator[Page]:
    """Open the panel in a page of its own."""
    viewport = ViewportSize(width=size[0], height=size[1])
    with closing(browser.new_context(viewport=viewport, color_scheme=scheme)) as context:
        page = context.new_page()
        page.set_default_timeout(LIMIT_MS)
        page.goto(address)
        page.locator(READY).wait_for()
        hook(page, "example").wait_for()
        yield page


def hook(page: Page, name: str) -> Locator:
    """Return the first element of a name."""
    return page.locator(f'[data-ac="{name}"]').first


def play(page: Page, question: str, watch: Callable[[float], None]) -> None:
    """Play a recorded answer to its end."""
    page.locator(f'[data-ac="example-play"][data-question="{question}"]').click()
    page.locator('[data-ac="app"][data-status="streaming"]').wait_for()
    while page.locator(READY).count() == 0:
        watch(1.0)


def take_pictures(browser: Browser, address: str, folder: Path) -> None:
    """Take the pictures, in the order in which a person comes by these states."""

    def wait(seconds: float) -> None:
        page.wait_for_timeout(seconds * 1000)

    def picture(name: str) -> None:
        wait(1)
        page.screenshot(path=folder / f"panel-{name}.png")

    with open_page(browser, address, WIDE, "light") as page:
        picture("example")
        play(page, "say-so", wait)
        picture("edits")
        page.locator('[data-ac="context-tab"]', has_text="Drawing").click()
        picture("context")
        hook(page, "settings").click()
        picture("settings")
        page.keyboard.press("Escape")
        hook(page, "new-conversation").click(modifiers=["Control"])
        hook(page, "tab-new").wait_for()
        picture("tabs")
    with open_page(browser, address, NARROW, "dark") as page:
        picture("narrow")


def take_animation(browser: Browser, address: str, path: Path) -> None:
    """Record how a change is asked for, applied and undone."""
    with open_page(browser, address, FRAMED, "light") as page:
        recorder = Recorder(page)
        recorder.watch(1.5)
        play(page, "say-so", recorder.watch)
        recorder.watch(1.5)
        page.locator('[data-ac="context-tab"]', has_text="Drawing").click()
        recorder.watch(2)
        hook(page, "edit-undo").click()
        recorder.watch(2)
        write_animation(recorder.frames, path)


def main(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Take all of them."""
    folder = Path(arguments[0]) if arguments else Path(__file__).parents[1] / "docs/images"
    chromium = environ.get("CHROMIUM", "/usr/bin/chromium")
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        browser = stack.enter_context(closing(launched))
        for take, target in ((take_animation, folder / "panel.webp"), (take_pictures, folder)):
            place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            with served_tour(place) as address:
                take(browser, address, target)


if __name__ == "__main__":
    main(sys.argv[1:], os.environ)
