"""A day's work by keyboard alone: the focus can be seen at each step, and is never lost."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from tests.e2e.panel import Panel
from tests.e2e.test_edits import block
from tests.support.model_process import RunningModelServer

pytestmark = pytest.mark.e2e

EDIT = "I name the days.\n\n" + block(
    "docs/todo.md", "- say the wind in the summary\n", "- say the strongest wind\n"
)
# Stops of Tab from one control to any other one.
MOST_STOPS = 60
SEEN_WITHIN_MS = 10_000

# Behind the last stop of the page is the browser's own frame.
HAS_LEFT = "() => document.activeElement === document.body"
FOCUSED = """() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (!at || at === document.body) return { hook: '', isSeen: false, words: 'nothing' };
    const accent = document.createElement('i');
    accent.style.color = 'var(--ac-accent)';
    at.getRootNode().append(accent);
    const colour = getComputedStyle(accent).color;
    accent.remove();
    // A field's frame is drawn by what is around it.
    const around = [at];
    for (let up = at; around.length < 5 && up;) {
        up = up.assignedSlot ?? up.parentElement ?? up.getRootNode().host;
        if (up) around.push(up);
    }
    const isMarked = (node) => {
        const style = getComputedStyle(node);
        return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0)
            || style.borderTopColor === colour || style.backgroundColor === colour;
    };
    const box = at.getBoundingClientRect();
    const isOnPage = box.right > 0 && box.bottom > 0
        && box.left < innerWidth && box.top < innerHeight;
    return {
        hook: at.dataset.ac ?? '',
        element: `${at.localName}.${at.className}`,
        isSeen: isOnPage && around.some(isMarked),
        words: at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 40),
    };
}"""


@dataclass(frozen=True)
class Keyboard:
    """The keys of a person who has no mouse."""

    page: Page
    panel: Panel

    def press(self, *keys: str) -> str:
        """Press keys one after another; what has the focus then is on the page, marked."""
        for key in keys:
            self.page.keyboard.press(key)
        return self.hook()

    def hook(self) -> str:
        """The name of what has the focus, which must be seen."""
        try:
            self.page.wait_for_function(f"() => ({FOCUSED})().isSeen", timeout=SEEN_WITHIN_MS)
        except Error:
            pytest.fail(f"the focus is not seen: {self.page.evaluate(FOCUSED)}")
        return str(self.page.evaluate(FOCUSED)["hook"])

    def reach(self, target: Locator, key: str = "Tab") -> None:
        """Press Tab until this has the focus."""
        for _ in range(MOST_STOPS):
            if target.evaluate("node => node.matches(':focus')"):
                return
            self.page.keyboard.press(key)
            if self.page.evaluate(HAS_LEFT):
                self.page.keyboard.press(key)
            self.hook()
        expect(target).to_be_focused()


@pytest.fixture
def panel(served_panel: Callable[[Path], Panel], repository: Path) -> Panel:
    return served_panel(repository)


def tick_a_file(keys: Keyboard) -> None:
    """A file is ticked by its name."""
    panel = keys.panel
    keys.reach(panel.part("picker-filter"))
    keys.page.keyboard.type("todo")
    expect(panel.part("picker-row")).to_have_count(2)
    keys.press("ArrowDown", "ArrowDown", "Space")
    box = panel.row("docs/todo.md").locator('[data-ac="picker-check"]')
    expect(box).to_be_checked()
    keys.press("Shift+F10")
    popup = panel.part("picker-popup")
    expect(popup).to_be_visible()
    keys.press("ArrowDown", "ArrowDown", "Escape")
    expect(popup).to_have_count(0)
    expect(panel.part("picker").get_by_role("tree")).to_be_focused()


def change_a_file_and_take_it_back(keys: Keyboard) -> None:
    """It is changed by an answer, and the change is taken back."""
    panel = keys.panel
    keys.reach(panel.part("input"))
    keys.page.keyboard.type("Say which wind.")
    keys.press("Enter")
    panel.answer()
    card = panel.part("edit-card")
    expect(card).to_have_attribute("data-status", "applied")
    keys.reach(panel.part("edit-undo"))
    keys.press("Enter")
    expect(card).to_have_attribute("data-status", "undone")
    keys.hook()


def look_at_the_commit(keys: Keyboard) -> None:
    """What would be committed is looked at."""
    panel = keys.panel
    keys.reach(panel.part("commit"))
    keys.press("Enter")
    expect(panel.part("commit-message")).to_be_focused()
    keys.press("Escape")
    expect(panel.part("commit")).to_be_focused()


def look_at_the_context(keys: Keyboard) -> None:
    """The context, as a list and drawn."""
    panel = keys.panel
    keys.reach(panel.part("context-tab", '[data-tab="drawing"]'))
    keys.press("Enter")
    boxes = panel.part("icicle-box")
    expect(boxes.first).to_have_attribute("aria-selected", "true")
    keys.reach(panel.part("icicle"))
    keys.press("ArrowRight")
    expect(boxes.first).to_have_attribute("aria-selected", "false")
    expect(panel.part("context-reason")).to_be_visible()
    keys.reach(panel.part("context-tab", '[data-tab="list"]'), "Shift+Tab")
    keys.press("Enter")


def change_a_setting(keys: Keyboard) -> None:
    """A setting is found, changed and saved."""
    panel = keys.panel
    keys.reach(panel.part("settings"))
    keys.press("Enter")
    overlay = panel.part("overlay")
    keys.reach(overlay.get_by_role("searchbox"))
    keys.page.keyboard.type("retries")
    number = panel.part("setting-number").first
    expect(number).to_be_visible()
    keys.reach(number)
    keys.press("ArrowUp", "Enter")
    expect(panel.part("setting-result").first).to_be_visible()
    keys.hook()
    while overlay.count():
        keys.page.keyboard.press("Escape")
    expect(panel.part("settings")).to_be_focused()


def use_tabs(keys: Keyboard) -> None:
    """A second conversation is opened beside the first one, left, and closed."""
    panel = keys.panel
    keys.reach(panel.part("new-conversation"))
    keys.page.keyboard.press("Control+Enter")
    tabs = panel.part("conversation-tab")
    expect(tabs).to_have_count(2)
    expect(panel.part("input")).to_be_focused()
    keys.reach(tabs.nth(1))
    keys.press("ArrowLeft")
    expect(tabs.nth(0)).to_be_focused()
    expect(panel.message("user")).to_have_text("Say which wind.")
    keys.press("ArrowRight")
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    keys.page.keyboard.press("Delete")
    expect(tabs).to_have_count(0)
    expect(panel.part("input")).to_be_focused()


def search_the_conversation(keys: Keyboard) -> None:
    """The conversation is searched."""
    panel = keys.panel
    keys.page.keyboard.press("Control+f")
    expect(panel.part("find-input")).to_be_focused()
    keys.page.keyboard.type("wind")
    expect(panel.part("find-count")).to_contain_text("of")
    keys.press("Enter", "Escape")
    expect(panel.part("find-input")).to_have_count(0)
    keys.hook()


def test_a_days_work_by_keyboard_alone(page: Page, panel: Panel, model: RunningModelServer) -> None:
    keys = Keyboard(page, panel)
    expect(panel.part("input")).to_be_focused()
    model.say(EDIT)
    tick_a_file(keys)
    change_a_file_and_take_it_back(keys)
    look_at_the_commit(keys)
    look_at_the_context(keys)
    change_a_setting(keys)
    use_tabs(keys)
    search_the_conversation(keys)
