"""The commit form in a browser: what goes, the model's message, a likely secret, the way back."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.installed import Installed
from tests.e2e.panel import Panel
from tests.e2e.test_looks import OVERFLOW
from tests.support.model_process import running_model_server
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.serve_process import ServeProcess, free_port

pytestmark = pytest.mark.e2e
WITHIN = "#panel"


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(
        tmp_path / "work" / "garden", {"beds.md": "Two.\n", "soil.md": "Dark.\n"}
    )
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    made.write("beds.md", "Three.\n")
    made.git("add", "beds.md")
    made.write("beds.md", "Four.\n")
    made.write("soil.md", "Planted-but-unticked.\n")
    made.write("new.md", "Fresh.\n")
    made.write("secrets.env", "KEY=planted\n")
    made.write("large.bin", b"\0" * 2_000_000)
    made.write("node_modules/x.js", "x\n")
    return made


@pytest.fixture
def panel(
    page: Page, installed: Installed, folder: RepositoryFolder, tmp_path: Path
) -> Iterator[Panel]:
    home = tmp_path / "home"
    home.mkdir()
    with running_model_server(tmp_path / "requests") as model:
        environment = installed.environment(
            home,
            JUPYTER_AC_CONFIG_DIR=str(home / "ac"),
            JUPYTER_AC_MODEL="openai/scripted",
            JUPYTER_AC_API_BASE=model.openai,
            OPENAI_API_KEY="sk-scripted-0000",
        )
        server = ServeProcess(
            folder.root, environment, port=free_port(), python=installed.python, cwd=tmp_path
        )
        server.start()
        page.goto(server.page)
        shown = Panel(page, WITHIN)
        shown.wait_for("ready", 90)
        yield shown
        server.close()


def row(panel: Panel, path: str) -> Locator:
    return panel.part("commit-row", f'[data-path="{path}"]')


def test_a_commit_shows_what_it_will_do(
    page: Page, panel: Panel, folder: RepositoryFolder, tmp_path: Path
) -> None:
    panel.part("commit").click()
    expect(row(panel, "beds.md")).to_have_attribute("data-checked", "mixed")
    ticked = [("soil.md", "true"), ("new.md", "true"), ("secrets.env", "false")]
    for path, checked in [*ticked, ("large.bin", "false"), ("node_modules/", "false")]:
        expect(row(panel, path)).to_have_attribute("data-checked", checked)
    row(panel, "soil.md").locator("input").click()
    row(panel, "soil.md").locator('[data-ac="commit-diff"]').click()
    expect(panel.part("viewer")).to_contain_text("Planted-but-unticked.")
    page.keyboard.press("Escape")
    expect(panel.part("viewer")).to_have_count(0)

    message = panel.part("commit-message")
    message.fill("Mine")
    panel.part("commit-write").click()
    expect(panel.part("commit-restore")).to_be_visible()
    expect(message).not_to_have_value("Mine")
    expect(message).to_be_editable()
    sent = "".join(each.read_text() for each in (tmp_path / "requests").glob("*.json"))
    assert "Three." in sent
    assert "Fresh." in sent
    assert not any(word in sent for word in ("Four.", "Planted", "planted", "secrets.env"))
    panel.part("commit-restore").click()
    expect(message).to_have_value("Mine")

    row(panel, "secrets.env").locator("input").click()
    panel.part("commit-submit").click()
    expect(panel.part("commit-secrets")).to_contain_text("secrets.env")
    page.set_viewport_size({"width": 320, "height": 700})
    assert panel.app.evaluate(OVERFLOW) == []
    panel.part("commit-secrets-out").click()
    panel.part("commit-submit").click()
    expect(panel.part("commit-form")).to_have_count(0)
    expect(panel.message("system")).to_have_text(re.compile("Committed [0-9a-f]+: Mine"))
    assert folder.git("show", "--format=%B", "--name-only").split() == ["Mine", "beds.md", "new.md"]
    assert folder.git("show", "HEAD:beds.md") == "Three."

    panel.part("commit").click()
    panel.part("commit-undo").click()
    expect(message).to_have_value("Mine")
    expect(panel.part("commit-undo")).to_have_count(0)
    assert folder.git("log", "--format=%s") == "first"
    left = folder.git("status", "--porcelain").splitlines()
    assert left[:3] == ["MM beds.md", "A  new.md", " M soil.md"]
