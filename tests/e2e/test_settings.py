"""Settings in the panel: which model answers, its key, the files.

What concerns the notebook around the panel is tried in JupyterLab, all else on the page of `serve`.
"""

import json
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.labs import Labs
from tests.e2e.notebook import PANEL_CELLS, command, open_notebook, run_all, save, write_notebook
from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_looks import OVERFLOW, THEMES, choose_theme, expect_fits, resize_panel
from tests.support.model_process import RunningModelServer
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
StartLab = Callable[..., Lab]
OpenPanel = Callable[..., Panel]
SECRET = "sk-entered-in-the-panel-7"
DIRTY = "window.jupyterapp.shell.currentWidget.context.model.dirty"
TEXTS = """() => {
    const inside = root => [...root.querySelectorAll('*')].flatMap(
        node => [node, ...(node.shadowRoot ? inside(node.shadowRoot) : [])]);
    const storage = store => Object.values({...store}).join();
    return [storage(sessionStorage), storage(localStorage), document.documentElement.outerHTML,
        ...inside(document).map(node => node.value ?? ''),
        ...inside(document).map(node => node.shadowRoot?.innerHTML ?? '')].join();
}"""


@pytest.fixture
def config(labs: Labs) -> Iterator[Path]:
    """The folder of the user's settings, which is empty."""
    folder = labs.root / "settings"
    folder.mkdir(exist_ok=True)
    yield folder
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.fixture
def start_plain(labs: Labs, model: RunningModelServer, config: Path) -> StartLab:
    """Have a JupyterLab in whose environment no model is chosen."""

    def start(root: Path, **variables: str) -> Lab:
        environment = {
            "JUPYTER_AC_CONFIG_DIR": str(config),
            "JUPYTER_AC_API_BASE": model.openai,
            # The keyring of whoever runs the tests is not theirs to write to.
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            **variables,
        }
        return labs.lab(root, environment, {})

    return start


def panel_in_notebook(page: Page, lab: Lab, repository: Path) -> Panel:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    return panel


@pytest.fixture
def open_panel(
    page: Page, start_serve: Callable[..., ServeProcess], repository: Path, config: Path
) -> OpenPanel:
    """Have a panel on the page of a server for which no model is chosen."""

    def opened(admin: dict[str, object] | None = None, **variables: str) -> Panel:
        environ = {
            "JUPYTER_AC_CONFIG_DIR": str(config),
            "JUPYTER_AC_MODEL": "",
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            **variables,
        }
        page.goto(start_serve(repository, admin=admin, environ=environ).page)
        panel = Panel(page, "#panel")
        panel.wait_for("ready", 90)
        return panel

    return opened


def llm(config: Path) -> dict[str, object]:
    content: dict[str, object] = json.loads((config / "llm.json").read_text(encoding="utf-8"))
    return content


def tab(panel: Panel, name: str) -> None:
    panel.part("overlay").get_by_role("tab", name=name, exact=True).click()


def test_a_model_is_chosen_by_keyboard_and_answers(
    page: Page, open_panel: OpenPanel, model: RunningModelServer, config: Path
) -> None:
    panel = open_panel()
    panel.part("model").focus()
    page.keyboard.press("Enter")
    expect(panel.part("model-search")).to_be_focused()
    page.keyboard.type("openai/scripted-markdown")
    page.keyboard.press("Enter")
    expect(panel.part("model-result")).to_contain_text("answers from the next question on")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(panel.part("overlay")).to_have_count(0)
    expect(panel.part("model")).to_be_focused()
    expect(panel.part("model")).to_contain_text("scripted-markdown")
    assert llm(config)["model"] == "openai/scripted-markdown"
    panel.ask("Who are you?")
    # The first question waits for the model's library.
    panel.answer(seconds=90)
    assert model.bodies()[-1]["model"] == "scripted-markdown"
    panel.part("model").click()
    expect(panel.part("model-search")).to_be_focused()
    panel.part("model-automatic").click()
    expect(panel.part("model-result")).to_contain_text("openai/gpt-5.4 answers")
    expect(panel.part("model-search")).to_be_focused()
    assert "model" not in llm(config)


def test_the_list_has_the_models_of_the_keys_first(page: Page, open_panel: OpenPanel) -> None:
    panel = open_panel()
    panel.part("model").click()
    first = panel.part("model-row").first
    expect(first).to_be_visible(timeout=90 * SECONDS)
    assert str(first.get_attribute("data-model")).startswith("openai/")
    panel.part("model-search").fill("anthropic haiku")
    row = panel.part("model-row").first
    expect(row).to_contain_text("haiku")
    expect(panel.part("overlay")).to_contain_text("no key")
    for name in ("Keys", "Files", "Model"):
        tab(panel, name)
        expect_fits(page, panel)


def test_a_choice_says_that_the_environment_is_stronger(page: Page, open_panel: OpenPanel) -> None:
    panel = open_panel(JUPYTER_AC_MODEL="openai/scripted")
    panel.part("model").click()
    panel.part("model-search").fill("openai/another")
    page.keyboard.press("Enter")
    expect(panel.part("model-result")).to_contain_text("JUPYTER_AC_MODEL")
    expect(panel.part("model-result")).to_contain_text("stronger")
    expect(panel.part("overlay")).to_contain_text("In use: openai/scripted")


def test_a_key_goes_into_the_users_file_and_nowhere_else(
    page: Page,
    start_plain: StartLab,
    repository: Path,
    model: RunningModelServer,
    config: Path,
) -> None:
    (config / "llm.json").write_text('{"model": "openai/scripted"}', encoding="utf-8")
    lab = start_plain(repository.parent)
    panel = panel_in_notebook(page, lab, repository)
    panel.part("model").click()
    tab(panel, "Keys")
    row = panel.part("key-row", '[data-variable="OPENAI_API_KEY"]')
    expect(row).to_contain_text("no key", timeout=90 * SECONDS)
    row.get_by_role("button", name="Enter").click()
    expect(panel.part("key-input")).to_be_focused()
    page.keyboard.type(SECRET)
    page.keyboard.press("Enter")
    expect(panel.part("confirm")).to_contain_text("llm.json, readable by you only")
    assert not json.loads((config / "llm.json").read_text(encoding="utf-8")).get("env")
    panel.part("confirm").get_by_role("button", name="Yes").click()
    expect(panel.part("key-result")).to_contain_text("llm.json, readable by you only")
    expect(row).to_contain_text("in llm.json")
    assert llm(config)["env"] == {"OPENAI_API_KEY": SECRET}
    assert stat.S_IMODE((config / "llm.json").stat().st_mode) == 0o600
    assert SECRET not in page.evaluate(TEXTS)
    page.keyboard.press("Escape")
    panel.ask("Does it work?")
    # The first question waits for the model's library.
    panel.answer(seconds=90)
    assert model.requests()[-1]["key_end"] == SECRET[-1]
    save(page)
    assert SECRET not in (repository / "chat.ipynb").read_text(encoding="utf-8")
    assert SECRET not in lab.log.read_text(encoding="utf-8")


def test_the_overlay_keeps_its_keys_marks_the_line_and_asks_before_keys_go_elsewhere(
    page: Page, start_plain: StartLab, repository: Path, config: Path
) -> None:
    saved = '{\n  "model": "openai/scripted",\n  "env": {"OPENAI_API_KEY": "sk-on-disk-1234"}\n}\n'
    (config / "llm.json").write_text(saved, encoding="utf-8")
    panel = panel_in_notebook(page, start_plain(repository.parent), repository)
    save(page)
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    sidebar = page.locator("#jp-left-stack").is_visible()
    panel.part("settings").click()
    for key in ("Tab", "m", "b", "x", "Shift+Enter", "Control+b", "Alt+Enter", "Tab", "a", "Tab"):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.ac") == "app"
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells
    assert page.locator(".jp-Notebook .jp-MarkdownCell").count() == 0
    assert page.locator("#jp-left-stack").is_visible() == sidebar

    page.evaluate("window.jupyterapp.shell.currentWidget.context.model.dirty = true")
    tab(panel, "Files")
    area = panel.part("config-text")
    expect(area).to_have_value(re.compile("scripted"))
    assert "sk-on-disk-1234" not in area.input_value()
    broken = area.input_value().replace(",\n", "\n", 1)
    area.fill(broken)
    page.keyboard.press("Control+s")
    problem = panel.part("config-problem")
    expect(problem).to_contain_text("llm.json, line 3")
    assert (
        area.evaluate("e => e.value.slice(e.selectionStart, e.selectionEnd)")
        == (broken.split("\n")[2])
    )
    assert (config / "llm.json").read_text(encoding="utf-8") == saved
    area.fill(broken.replace('scripted"\n', 'scripted",\n  "api_base": "http://127.0.0.1:9/v1",\n'))
    page.keyboard.press("Control+s")
    expect(panel.part("confirm")).to_contain_text("api_base")
    assert "api_base" not in llm(config)
    panel.part("confirm").get_by_role("button", name="Save it").click()
    expect(panel.part("config-result")).to_contain_text("Saved")
    assert llm(config)["api_base"] == "http://127.0.0.1:9/v1"
    assert llm(config)["env"] == {"OPENAI_API_KEY": "sk-on-disk-1234"}
    assert page.evaluate(DIRTY) is True


def test_checkpoints_are_among_the_files_as_long_as_the_setting_says_so(
    page: Page, open_panel: OpenPanel, repository: Path
) -> None:
    # Else git would ignore them.
    (repository / ".gitignore").write_text("__pycache__/\n", encoding="utf-8")
    folder = repository / ".ipynb_checkpoints"
    for notebook in (repository / "chat.ipynb", folder / "chat-checkpoint.ipynb"):
        write_notebook(notebook, "1 + 1")
    panel = open_panel()
    for is_shown in (True, False):
        expect(panel.row("chat.ipynb")).to_be_visible()
        expect(panel.row(folder.name)).to_have_count(int(not is_shown))
        panel.part("settings").click()
        tab(panel, "Files")
        panel.part("overlay").get_by_role("tab", name="app.json").click()
        area = panel.part("config-text", '[data-type="app"]')
        expect(area).to_have_value(re.compile("show_jupyter_files"))
        area.fill(json.dumps({"files": {"show_jupyter_files": is_shown}}))
        area.press("Control+s")
        expect(panel.part("config-result")).to_contain_text("Saved")
        page.keyboard.press("Escape")
        expect(panel.part("overlay")).to_have_count(0)
        expect(panel.row(folder.name)).to_have_count(int(is_shown))


def test_unsaved_text_is_not_lost_by_escape(page: Page, open_panel: OpenPanel) -> None:
    panel = open_panel()
    panel.part("settings").click()
    tab(panel, "Files")
    panel.part("overlay").get_by_role("tab", name="system_extra.md").click()
    area = panel.part("config-text", '[data-type="system_extra"]')
    area.fill("Answer in rhymes.")
    page.keyboard.press("Escape")
    expect(panel.part("unsaved")).to_be_visible()
    page.keyboard.press("Escape")
    expect(area).to_have_value("Answer in rhymes.")
    area.press("Control+s")
    expect(panel.part("config-result")).to_contain_text("Saved")
    page.keyboard.press("Escape")
    expect(panel.part("overlay")).to_have_count(0)


def test_a_snippet_goes_where_the_caret_is(page: Page, open_panel: OpenPanel, config: Path) -> None:
    snippets = {"code": [{"icon": "T", "tooltip": "Tests", "message": "write tests for"}]}
    (config / "snippets.json").write_text(json.dumps(snippets), encoding="utf-8")
    panel = open_panel()
    panel.part("input").fill("Please  the parser.")
    panel.part("input").evaluate("e => e.setSelectionRange(7, 7)")
    panel.part("snippets").click()
    panel.part("snippet").click()
    expect(panel.part("input")).to_have_value("Please write tests for the parser.")
    page.keyboard.press("Control+z")
    expect(panel.part("input")).to_have_value("Please  the parser.")


def test_what_the_administrator_keeps_can_be_seen_and_not_changed(
    page: Page, open_panel: OpenPanel, pictures: Path
) -> None:
    admin = {
        "allowed_models": ["openai/gpt-4o*"],
        "locked_settings": ["app", "litellm.api_base"],
    }
    panel = open_panel(admin)
    # The usual model for the key isn't among them: another one of that key is.
    expect(panel.part("model")).to_contain_text("gpt-4o")
    panel.part("model").click()
    rows = panel.part("model-row")
    expect(rows.first).to_be_visible(timeout=90 * SECONDS)
    names = [str(row.get_attribute("data-model")) for row in rows.all()]
    assert [name for name in names if not name.startswith("openai/gpt-4o")] == []
    panel.part("model-search").fill("openai/gpt-5")
    page.keyboard.press("Enter")
    expect(panel.part("model-result")).to_contain_text("administrator has not allowed")
    panel.part("model-search").fill("openai/gpt-4o-mini")
    page.keyboard.press("Enter")
    expect(panel.part("model-result")).to_contain_text("answers from the next question on")
    tab(panel, "Files")
    expect(panel.part("overlay")).to_contain_text("Locked by the administrator: api_base")
    panel.part("overlay").get_by_role("tab", name="app.json").click()
    expect(panel.part("overlay")).to_contain_text("The administrator has locked this file")
    expect(panel.part("config-text", '[data-type="app"]')).not_to_be_editable()
    page.screenshot(path=pictures / "locked.png", animations="disabled")


@pytest.mark.soak
def test_the_settings_fit_and_are_photographed(
    page: Page, start_plain: StartLab, repository: Path, pictures: Path
) -> None:
    lab = start_plain(repository.parent, OPENAI_API_KEY="sk-scripted-0000")
    panel = panel_in_notebook(page, lab, repository)
    command(page, "application:toggle-left-area")
    for theme, width in zip(THEMES, (1400, 320), strict=True):
        choose_theme(page, panel, theme)
        resize_panel(page, panel, width)
        panel.app.scroll_into_view_if_needed()

        def photograph(name: str, place: str = f"{theme}-{width}") -> None:
            page.screenshot(path=pictures / f"{name}-{place}.png", animations="disabled")
            assert panel.app.evaluate(OVERFLOW) == []

        panel.part("model").click()
        expect(panel.part("model-row").first).to_be_visible(timeout=90 * SECONDS)
        photograph("models")
        tab(panel, "Keys")
        row = panel.part("key-row", '[data-variable="ANTHROPIC_API_KEY"]')
        row.get_by_role("button", name="Enter").click()
        panel.part("key-input").fill(SECRET)
        page.keyboard.press("Enter")
        expect(panel.part("confirm")).to_be_visible()
        photograph("keys")
        row.get_by_role("button", name="Cancel").click()
        tab(panel, "Files")
        panel.part("config-text").fill('{\n  "model": 3\n}\n')
        page.keyboard.press("Control+s")
        expect(panel.part("config-problem")).to_be_visible()
        photograph("config")
        page.keyboard.press("Escape")
        panel.part("unsaved").get_by_role("button", name="Discard").click()
        expect(panel.part("overlay")).to_have_count(0)
        panel.part("snippets").click()
        photograph("snippets")
        page.keyboard.press("Escape")


def test_the_form_saves_one_value_and_a_model_server_is_tried(
    page: Page, open_panel: OpenPanel, model: RunningModelServer, config: Path
) -> None:
    (config / "app.json").write_text('{\n  "novel": 1\n}\n', encoding="utf-8")
    panel = open_panel()
    panel.part("settings").click()
    panel.part("settings-search").fill("retries of failed")
    row = panel.part("setting", '[data-key="app.edits.retries"]')
    row.get_by_role("spinbutton").fill("9")
    page.keyboard.press("Enter")
    expect(panel.part("setting-problem")).to_contain_text("edits.retries must be at most 2")
    assert "edits" not in (config / "app.json").read_text(encoding="utf-8")
    row.get_by_role("spinbutton").fill("2")
    page.keyboard.press("Enter")
    expect(row).to_have_attribute("data-changed", "true")
    saved = json.loads((config / "app.json").read_text(encoding="utf-8"))
    assert saved == {"novel": 1, "edits": {"retries": 2}}
    tab(panel, "Model")
    panel.part("endpoint-open").click()
    panel.part("endpoint-kind").select_option("vllm")
    panel.part("endpoint-address").fill(model.anthropic)
    panel.part("endpoint-find").click()
    panel.part("confirm").get_by_role("button", name="Yes, do it").click()
    expect(panel.part("endpoint-result")).to_contain_text(
        "One model was found", timeout=90 * SECONDS
    )
    panel.part("endpoint-try").click()
    expect(panel.part("endpoint-result")).to_contain_text("answered in", timeout=90 * SECONDS)
    assert model.bodies()[-1]["model"] == "scripted"
    assert not (config / "llm.json").exists()
