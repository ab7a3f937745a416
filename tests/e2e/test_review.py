"""A review that a killed server leaves open is offered for ending at the next start."""

import signal
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_looks import OVERFLOW, SCHEMES, Scheme, looks
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
WITHIN = "#panel"
StartServe = Callable[..., ServeProcess]

# What a client of the seeds calls, in its order.
BEGIN = """async ([address, branch]) => {
    const socket = new WebSocket(address);
    await new Promise(resolve => socket.addEventListener('open', resolve));
    let last = 0;
    const call = (method, ...args) => new Promise((resolve, reject) => {
        const id = `review-${last += 1}`;
        socket.addEventListener('message', ({data}) => {
            const answer = JSON.parse(data);
            if (answer.id !== id) return;
            if (answer.error || answer.result.error) reject(Error(data));
            else resolve(answer.result);
        });
        socket.send(JSON.stringify({jsonrpc: '2.0', id, method: `Repo.${method}`, params: {args}}));
    });
    const begun = await call('checkout_review_parent', branch, null);
    const ready = await call('setup_review_soft_reset', begun.branch_tip, begun.parent_commit);
    socket.close();
    return ready.status;
}"""


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """`main` is checked out; `feature` changes one file, adds one and removes one."""
    folder = make_repository(
        tmp_path / "work" / "garden",
        {"beds.md": "# Beds\n", "old.md": "# Old\n", "tools.py": "1\n"},
    )
    folder.git("checkout", "-q", "-b", "feature/raised-beds")
    folder.write("beds.md", "# Raised beds\n")
    folder.write("soil.md", "# Soil\n")
    (folder.root / "old.md").unlink()
    folder.commit("Raise the beds")
    folder.git("checkout", "-q", "main")
    return folder


def open_panel(page: Page, server: ServeProcess) -> Panel:
    page.goto(server.page)
    panel = Panel(page, WITHIN)
    panel.wait_for("ready", 90)
    return panel


def begin(page: Page, server: ServeProcess) -> None:
    assert page.evaluate(BEGIN, [server.address, "feature/raised-beds"]) == "review_ready"


def test_a_review_survives_the_server_and_is_ended_by_a_key(
    page: Page, start_serve: StartServe, folder: RepositoryFolder
) -> None:
    server = start_serve(folder.root)
    panel = open_panel(page, server)
    expect(panel.part("review-banner")).to_have_count(0)
    begin(page, server)
    expect(panel.part("review-banner")).to_contain_text(
        "A review of feature/raised-beds is open since"
    )
    expect(panel.part("review-banner")).to_contain_text("3 files")
    server.end(signal.SIGKILL)
    panel.wait_for("offline")
    expect(panel.part("review-end")).to_be_disabled()
    folder.write("soil.md", "# Soil, edited\n")
    assert folder.git("rev-parse", "--abbrev-ref", "HEAD") == "HEAD"
    server.start()
    other = open_panel(page.context.new_page(), server)
    expect(other.part("review-banner")).to_contain_text("Ending it checks out main again")
    panel.wait_for("ready", 90)
    button = panel.part("review-end")
    expect(button).to_be_enabled()
    button.focus()
    page.keyboard.press("Enter")
    outcome = panel.part("review-outcome")
    expect(outcome).to_contain_text("main is checked out again", timeout=90 * SECONDS)
    expect(outcome).to_contain_text("changed during the review of feature/raised-beds")
    expect(panel.part("review-banner")).to_have_count(0)
    expect(other.part("review-banner")).to_have_count(0, timeout=90 * SECONDS)
    expect(panel.row("old.md")).to_have_count(1)
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"
    assert folder.git("status", "--porcelain") == ""
    assert folder.git("show", "stash@{0}:soil.md") == "# Soil, edited"
    assert not (folder.root / ".git/review.json").exists()
    # The keyboard is on what closes the outcome, and in the input after that.
    page.keyboard.press("Enter")
    expect(outcome).to_have_count(0)
    page.keyboard.type("Why?")
    expect(panel.part("input")).to_have_value("Why?")


def test_what_stands_in_the_way_of_the_end_is_said(
    page: Page, start_serve: StartServe, folder: RepositoryFolder
) -> None:
    server = start_serve(folder.root)
    panel = open_panel(page, server)
    begin(page, server)
    folder.git("worktree", "add", "-q", "../elsewhere", "main")
    panel.part("review-end").click()
    alert = panel.part("review-banner").locator("[role=alert]")
    expect(alert).to_contain_text("git switch main", timeout=90 * SECONDS)
    folder.git("worktree", "remove", "../elsewhere")
    panel.part("review-end").click()
    expect(panel.part("review-outcome")).to_contain_text("main is checked out again")
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"


@pytest.mark.soak
def test_it_fits_and_is_photographed(
    page: Page, start_serve: StartServe, folder: RepositoryFolder, pictures: Path
) -> None:
    def photograph(name: str) -> None:
        for scheme, width in product(SCHEMES, (320, 1400)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 700})
            expect(panel.app).to_have_attribute("data-theme", scheme)
            page.screenshot(path=pictures / f"{name}-{scheme}-{width}.png")
            assert panel.app.evaluate(OVERFLOW) == []

    server = start_serve(folder.root)
    panel = open_panel(page, server)
    begin(page, server)
    folder.write("soil.md", "# Soil, edited\n")
    expect(panel.part("review-banner")).to_contain_text("3 files")
    photograph("review")
    panel.part("review-end").click()
    expect(panel.part("review-outcome")).to_contain_text("git stash")
    photograph("review-ended")


@looks(SCHEMES, (320, 800, 1400))
def test_the_whole_way_from_the_graph_to_the_end(
    page: Page,
    start_serve: StartServe,
    folder: RepositoryFolder,
    model: RunningModelServer,
    pictures: Path,
    looks: Sequence[tuple[Scheme, int]],
) -> None:
    server = start_serve(folder.root)
    panel = open_panel(page, server)

    def photograph(name: str) -> None:
        for scheme, width in looks:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            expect(panel.app).to_have_attribute("data-theme", scheme)
            page.screenshot(path=pictures / f"{name}-{scheme}-{width}.png")
            assert panel.app.evaluate(OVERFLOW) == []

    panel.part("review-start").click()
    rows = panel.part("graph-row")
    expect(rows).to_have_count(2)
    assert rows.first.get_attribute("data-sha") == folder.git("rev-parse", "feature/raised-beds")
    # The keyboard is in the graph.
    page.keyboard.press("Enter")
    expect(panel.part("review-selector")).to_contain_text("Review 1 commit of feature/raised-beds")
    photograph("review-graph")
    panel.part("review-start").click()
    expect(panel.part("review-banner")).to_contain_text("Edits and commits are off")
    expect(panel.part("review-selector")).to_have_count(0)
    changed = panel.part("review-file")
    expect(changed).to_have_count(3)
    assert changed.evaluate_all(
        "rows => rows.map(row => [row.dataset.path, row.dataset.status])"
    ) == [
        ["beds.md", "modified"],
        ["old.md", "deleted"],
        ["soil.md", "added"],
    ]
    panel.part("review-ask").click()
    panel.answer(seconds=90)
    (body,) = (body for body in map(str, model.bodies()) if "Review this change" in body)
    for part in ("review://summary", "review://changes/beds.md", "-# Beds", "+# Raised beds"):
        assert part in body
    expect(panel.part("review-count")).to_have_text("3 of 3 diffs in context")
    diffs = panel.part("breakdown-row", '[data-path^="review://changes/"]')
    expect(diffs).to_have_count(3)
    photograph("review-open")
    panel.part("review-file", '[data-path="beds.md"]').locator('[data-ac="review-open"]').click()
    expect(panel.part("viewer")).to_contain_text("Raised beds", timeout=30 * SECONDS)
    photograph("review-diff")
    page.keyboard.press("Escape")
    panel.part("review-end").click()
    expect(panel.part("review-outcome")).to_contain_text("main is checked out again")
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"
    assert folder.git("status", "--porcelain") == ""
