"""The panel as a person meets it, by the hooks that design keeps fixed (`data-ac`)."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

SECONDS = 1000
WIDGET = ".jp-OutputArea"
SIDE = "#jupyter-ac-panel"


@dataclass(frozen=True)
class Panel:
    """One panel on a page; `within` is a selector of what holds it."""

    page: Page
    within: str = WIDGET

    def part(self, name: str, extra: str = "") -> Locator:
        return self.page.locator(f'{self.within} [data-ac="{name}"]{extra}')

    @property
    def app(self) -> Locator:
        return self.part("app")

    def wait_for(self, status: str, seconds: float = 90) -> None:
        expect(self.app).to_have_attribute("data-status", status, timeout=seconds * SECONDS)

    def row(self, path: str) -> Locator:
        return self.part("picker-row", f'[data-path="{path}"]')

    def tick(self, *paths: str) -> None:
        for path in paths:
            self.row(path).locator('[data-ac="picker-check"]').click()

    def ask(self, text: str) -> None:
        self.part("input").fill(text)
        self.part("send").click()

    def message(self, role: str, state: str | None = None) -> Locator:
        extra = f'[data-role="{role}"]' + (f'[data-state="{state}"]' if state else "")
        return self.part("message", extra)

    def answer(self, state: str = "done", seconds: float = 90) -> Locator:
        """The last answer, once it has come to this state."""
        last = self.message("assistant").last
        expect(last).to_have_attribute("data-state", state, timeout=seconds * SECONDS)
        return last

    def total(self) -> int:
        return int(self.part("breakdown-total").get_attribute("data-tokens") or -1)
