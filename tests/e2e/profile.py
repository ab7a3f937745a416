"""A browser profile that tests use one after another."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Frame, Page


@dataclass
class Profile:
    """Keeps compiled scripts from one test to the next, and nothing else.

    JupyterLab's scripts take seconds of processor time to compile. Contexts that are made anew have
    no cache on disk, so that each would compile them again.
    """

    context: BrowserContext
    _origins: set[str] = field(default_factory=set)
    _blank: Page = field(init=False)

    def __post_init__(self) -> None:
        self._blank = self.context.pages[0]  # without any page Chromium would end
        self.context.on("page", lambda page: page.on("framenavigated", self._note))

    def forget(self) -> None:
        """Close all pages, and remove what they have stored."""
        for page in self.context.pages:
            if page is not self._blank:
                page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.context.unroute_all()
        session = self.context.new_cdp_session(self._blank)
        for origin in self._origins:
            wanted = {"origin": origin, "storageTypes": "all"}
            session.send("Storage.clearDataForOrigin", wanted)
        session.detach()
        self._origins.clear()

    def _note(self, frame: Frame) -> None:
        parts = urlsplit(frame.url)
        if parts.netloc:
            self._origins.add(f"{parts.scheme}://{parts.netloc}")
