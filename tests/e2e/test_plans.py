"""Plans in the panel: from a description to the user's files, and back."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_edits import block
from tests.e2e.test_looks import OVERFLOW, SCHEMES
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartServe = Callable[..., ServeProcess]
LIMIT_MS = 90 * SECONDS
WIDTHS = (320, 1100)

FILES: dict[str, str | bytes] = {
    "beds.md": "# Beds\n\nTwo.\n",
    "plan.txt": "one\ntwo\n",
    "roses.txt": "roses\ntwo\n",
    "beans.txt": "beans\ntwo\n",
}
SOIL = block("soil.md", "", "# Soil\n")
BEDS = block("beds.md", "Two.\n", "Three.\n")


def copied(name: str) -> tuple[str, str]:
    """What a task does that asks: it copies a file outside of the sandbox."""
    arguments = {"command": f"cp {name} plan.txt", "outside_sandbox": True}
    return f"@call run_command {json.dumps(arguments)}\n", f"The plan has what {name} has.\n"


def task(name: str, description: str, *answers: str, after: tuple[str, ...] = ()) -> object:
    """A task whose description says what the model answers to it."""
    return {
        "id": name,
        "type": "code_generation",
        # What follows in the prompt, the results of other tasks, belongs to the last answer, which
        # is never given.
        "description": "\n=====\n".join((description, *answers, "That is all.")),
        "dependencies": after,
        "priority": 2,
    }


PLAN = {
    "tasks": [
        task("soil", "Describe the soil.", f"{SOIL}\nIt is dark.\n"),
        task("roses", "Plan the roses.", *copied("roses.txt"), after=("soil",)),
        task("beans", "Plan the beans.", *copied("beans.txt"), after=("soil",)),
        task(
            "beds",
            "Count the beds.",
            '@call read_file {"path": "beds.md"}\n',
            f"{BEDS}\nThree now.\n",
            after=("soil",),
        ),
        task("end", "Sum it up.", "Nothing is left.\n", after=("roses", "beans", "beds")),
    ],
    "estimated_time_seconds": 90,
    "explanation": "The soil comes first, since all beds need it.",
}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "work" / "garden", FILES)


@pytest.fixture
def panel(served_panel: Callable[[Path], Panel], folder: RepositoryFolder) -> Panel:
    """A panel whose model makes the plan that is asked for, and does what the tasks say."""
    return served_panel(folder.root)


def make_plan(panel: Panel) -> None:
    panel.part("plans-open").click()
    request = panel.part("plan-request")
    expect(request).to_be_focused()
    request.fill(f"Plan the garden.\n=====\n{json.dumps(PLAN)}")
    request.press("Enter")
    expect(panel.part("plan")).to_have_attribute(
        "data-status", "awaiting_approval", timeout=LIMIT_MS
    )


def node(panel: Panel, name: str) -> Locator:
    return panel.part("plan-task", f'[data-id="{name}"]')


def expect_task(panel: Panel, name: str, status: str) -> None:
    expect(node(panel, name)).to_have_attribute("data-status", status, timeout=LIMIT_MS)


def allow(panel: Panel, name: str, command: str) -> None:
    """Allow the command that a task asks about."""
    expect(node(panel, name)).to_contain_text("Needs you", timeout=LIMIT_MS)
    node(panel, name).click()
    expect(panel.part("tool-text")).to_have_text(command)
    panel.part("tool-approve", '[data-scope="once"]').click()


def photograph(page: Page, panel: Panel, pictures: Path, name: str) -> None:
    """Take pictures narrow and light, wide and dark; nothing may stand out."""
    for scheme, width in zip(SCHEMES, WIDTHS, strict=True):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        page.screenshot(path=pictures / f"plan-{name}-{scheme}-{width}.png")
        assert panel.app.evaluate(OVERFLOW) == []


def staged(folder: RepositoryFolder) -> set[str]:
    command = ("git", "diff", "--cached", "--name-only")
    found = subprocess.run(command, cwd=folder.root, check=True, capture_output=True, text=True)
    return set(found.stdout.split())


def test_a_plan_with_a_conflict_is_run_applied_and_taken_back(
    page: Page, panel: Panel, folder: RepositoryFolder, pictures: Path
) -> None:
    make_plan(panel)
    expect(panel.part("plan-task")).to_have_count(5)
    photograph(page, panel, pictures, "made")
    panel.part("plan-concurrency").select_option("3")
    panel.part("plan-run").click()
    expect_task(panel, "soil", "done")
    # Both have begun with the same files before one of them has changed any.
    for name in ("roses", "beans"):
        expect(node(panel, name)).to_contain_text("Needs you", timeout=LIMIT_MS)
    expect(panel.part("plan-waiting")).to_contain_text("roses")
    node(panel, "soil").click()
    expect(panel.part("plan-task-output")).to_contain_text("It is dark.")
    expect(panel.part("plan-task-output")).not_to_contain_text("EDIT")
    node(panel, "roses").click()
    photograph(page, panel, pictures, "question")
    allow(panel, "roses", "cp roses.txt plan.txt")
    expect_task(panel, "roses", "done")
    allow(panel, "beans", "cp beans.txt plan.txt")
    expect_task(panel, "beans", "failed")
    expect_task(panel, "beds", "done")
    conflict = panel.part("plan-conflict", '[data-path="plan.txt"]')
    expect(conflict).to_contain_text("beans")
    expect(conflict).to_contain_text("roses")
    expect(panel.part("plan")).to_have_attribute("data-status", "failed", timeout=LIMIT_MS)
    photograph(page, panel, pictures, "conflict")
    panel.part("plan-task-note").fill("The beans win.")
    panel.part("plan-task-retry").click()
    allow(panel, "beans", "cp beans.txt plan.txt")
    expect(panel.part("plan")).to_have_attribute("data-status", "completed", timeout=LIMIT_MS)
    expect(panel.part("plan-progress")).to_contain_text("5 of 5 tasks done")
    assert (folder.root / "plan.txt").read_text() == FILES["plan.txt"]
    panel.part("plan-diff-open").first.click()
    expect(panel.part("diff-file", '[data-path="plan.txt"]')).to_contain_text("beans")
    panel.part("plan-apply").click()
    expect(panel.part("toast").last).to_contain_text("3 files changed and staged")
    expect(panel.part("plan-applied")).to_contain_text("plan.txt")
    photograph(page, panel, pictures, "applied")
    assert (folder.root / "plan.txt").read_text() == FILES["beans.txt"]
    assert staged(folder) == {"soil.md", "beds.md", "plan.txt"}
    (folder.root / "beds.md").write_text("# Beds\n\nFour.\n")
    panel.part("plan-undo").click()
    expect(panel.part("plan-kept")).to_contain_text("beds.md")
    assert (folder.root / "plan.txt").read_text() == FILES["plan.txt"]
    assert not (folder.root / "soil.md").exists()
    assert (folder.root / "beds.md").read_text() == "# Beds\n\nFour.\n"


def test_a_plan_is_changed_by_keyboard_and_what_waits_is_found_again(
    page: Page, panel: Panel, folder: RepositoryFolder
) -> None:
    make_plan(panel)
    node(panel, "soil").focus()
    page.keyboard.press("End")
    expect(node(panel, "end")).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel.part("plan-task-details")).to_have_attribute("data-id", "end")
    panel.part("plan-task-remove").press("Enter")
    expect(panel.part("plan-task")).to_have_count(4)
    node(panel, "beds").press("Enter")
    panel.part("plan-task-skip").press("Enter")
    expect_task(panel, "beds", "skipped")
    panel.part("plan-run").press("Enter")
    expect(node(panel, "roses")).to_contain_text("Needs you", timeout=LIMIT_MS)
    page.reload()
    panel.wait_for("ready")
    expect(panel.part("plans-waiting")).to_be_visible(timeout=LIMIT_MS)
    panel.part("plans-open").click()
    panel.part("plan-row").click()
    allow(panel, "roses", "cp roses.txt plan.txt")
    expect_task(panel, "roses", "done")
    panel.part("plan-cancel").click()
    expect(panel.part("plan")).to_have_attribute("data-status", "cancelled", timeout=LIMIT_MS)
    expect_task(panel, "beans", "cancelled")
    page.keyboard.press("Escape")
    expect(panel.part("plans-open")).to_be_focused()
    expect(panel.part("plans-waiting")).to_have_count(0)
    assert (folder.root / "plan.txt").read_text() == FILES["plan.txt"]
