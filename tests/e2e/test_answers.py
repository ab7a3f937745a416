"""What an answer may hold besides prose and code: formulas, tasks, tables, diagrams."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import (
    PANEL_CELLS,
    open_notebook,
    run_all,
    run_cell,
    write_notebook,
)
from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_looks import OVERFLOW, SCHEMES
from tests.support.serve_process import ServeProcess

pytestmark = pytest.mark.e2e
ANSWER = r"""It is \(a\,b\) and costs $5 and $6.

$$
\frac{a}{b}
- \sqrt{c}
$$

- [x] read

| function | what it gives to the one who calls it | remark |
|---|---|---|
| `feels_like_temperature` | temperature | $|x|$ |
"""
DIAGRAM = """```mermaid
graph TD
  A[Readings] --> B[Mean]
```

```mermaid
graph TD
  A[[[
```

```mermaid
graph TD
  A@{ img: "https://evil.example/a.png" }
```

Done.
"""
DRAWING = 90 * SECONDS
# What a script in the frame would try; evaluated there, it counts as one.
REACH_OUT = """async () => {
    const tried = { origin: window.origin };
    try { tried.page = parent.document.title; } catch { tried.page = 'refused'; }
    try { tried.storage = String(localStorage.length); } catch { tried.storage = 'refused'; }
    tried.fetched = await fetch('/health').then(() => 'read', () => 'refused');
    return tried;
}"""
ONE_ABOVE_THE_OTHER = """fraction => {
    const [above, below] = [...fraction.children].map(part => part.getBoundingClientRect());
    return above.height > 0 && above.bottom <= below.top + 1;
}"""
BROKEN_WORDS = """table => {
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (walker.nextNode()) {
        for (const { 0: word, index } of walker.currentNode.data.matchAll(/\\w+/g)) {
            const range = document.createRange();
            range.setStart(walker.currentNode, index);
            range.setEnd(walker.currentNode, index + word.length);
            if (range.getClientRects().length > 1) broken.push(word);
        }
    }
    return broken;
}"""


def test_formulas_are_set_by_the_browser_and_tables_keep_their_words_whole(
    page: Page, start_serve: Callable[..., ServeProcess], repository: Path
) -> None:
    loaded: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.set_viewport_size({"width": 300, "height": 900})
    page.goto(start_serve(repository, "scripted-edits").page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready")
    assert not any("maths-" in url for url in loaded)
    panel.ask(f"Tell me.\n=====\n{ANSWER}")
    answer = panel.answer()
    expect(answer.locator("math")).to_have_count(3)
    page.wait_for_function("() => document.fonts.check('16px \"jupyter-ac maths\"')")
    kinds = sorted(url.rpartition(".")[2] for url in loaded if "maths-" in url)
    assert kinds == ["js", "woff2"]
    assert answer.locator("mfrac").evaluate(ONE_ABOVE_THE_OTHER)
    expect(answer).to_contain_text("costs $5 and $6.")
    expect(answer.get_by_role("checkbox", name="Done")).to_be_disabled()
    table = answer.locator("table")
    assert table.evaluate(BROKEN_WORDS) == []
    assert table.evaluate("table => table.scrollWidth > table.clientWidth")
    assert panel.app.evaluate(OVERFLOW) == []
    assert complaints == []


def expect_diagram(panel: Panel, page: Page, picture: Path) -> None:
    """Have an answer with diagrams, and look at the one that can be drawn."""
    panel.ask(f"Draw it.\n=====\n{ANSWER}\n{DIAGRAM}")
    answer = panel.answer()
    image = answer.get_by_role("img", name="Diagram")
    expect(image).to_have_count(1, timeout=DRAWING)
    assert 0 < image.evaluate("image => image.decode().then(() => image.clientWidth)") < 300
    expect(answer).to_contain_text("mermaid: not drawn")
    expect(answer.locator("math")).to_have_count(3)
    image.scroll_into_view_if_needed()
    page.screenshot(path=picture)
    expect(answer.get_by_text("A[Readings]")).to_be_hidden()
    expect(answer.get_by_text("evil.example")).to_be_visible()
    image.click()
    expect(answer.get_by_text("A[Readings]")).to_be_visible()
    image.click()


def test_jupyterlab_draws_the_diagrams_of_an_answer_in_a_cell(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-edits")
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    expect_diagram(panel, page, pictures / "answer-diagram.png")
    assert not [frame for frame in page.frames if "diagrams-" in frame.url]


@pytest.mark.soak
def test_notebook_7_draws_them_too(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    lab = start_lab(repository.parent, "scripted-edits", app="notebook")
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    expect_diagram(panel, page, pictures / "answer-notebook-7.png")


def test_the_page_of_serve_draws_them_in_a_frame_that_can_do_nothing_else(
    page: Page, start_serve: Callable[..., ServeProcess], repository: Path, pictures: Path
) -> None:
    loaded: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(start_serve(repository, "scripted-edits").page)
    panel = Panel(page, "#panel")
    panel.wait_for("ready")
    assert not any("diagrams-" in url for url in loaded)
    expect_diagram(panel, page, pictures / "answer-serve.png")
    image = panel.answer().get_by_role("img", name="Diagram")
    shown: set[str] = set()
    for scheme, width in product(SCHEMES, (300, 1400)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 1000})
        expect(panel.app).to_have_attribute("data-theme", scheme)
        if shown and width == 300:
            expect(image).not_to_have_attribute("src", shown.copy().pop())
        shown.add(image.get_attribute("src") or "")
        page.screenshot(path=pictures / f"answer-serve-{scheme}-{width}.png")
        assert panel.app.evaluate(OVERFLOW) == []
    assert len(shown) == len(SCHEMES)
    assert [url for url in loaded if "evil" in url] == []
    assert complaints == []
    (frame,) = [frame for frame in page.frames if "diagrams-" in frame.url]
    refused = {"page": "refused", "storage": "refused", "fetched": "refused"}
    assert frame.evaluate(REACH_OUT) == {"origin": "null", **refused}


@pytest.mark.parametrize(
    "has_server",
    [  # that panels come over the comm, `test_panel_cells.py` has
        pytest.param(True, id="over HTTP"),
        pytest.param(False, id="over the comm", marks=pytest.mark.soak),
    ],
)
def test_without_our_lab_extension_they_are_drawn_where_the_server_has_the_files(
    page: Page, start_own_lab: Callable[..., Lab], repository: Path, has_server: bool
) -> None:
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    without = "--ServerApp.jpserver_extensions={'jupyter_ac': False}"
    lab = start_own_lab(
        repository.parent,
        "scripted-edits",
        arguments=() if has_server else (without,),
        expects_extension=has_server,
    )
    settings = lab.home / "config/labconfig/page_config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"disabledExtensions": {"jupyter-ac": True}}), "utf-8")
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    panel.ask(f"Draw it.\n=====\n{DIAGRAM}")
    answer = panel.answer()
    if has_server:
        expect(answer.get_by_role("img", name="Diagram")).to_have_count(1, timeout=DRAWING)
    else:
        expect(panel.app).to_have_attribute("data-door", "relay")
        expect(answer.get_by_text("A[Readings]")).to_be_visible()
        expect(answer.get_by_role("img", name="Diagram")).to_have_count(0)
    assert len([frame for frame in page.frames if "diagrams-" in frame.url]) == int(has_server)


def test_below_a_cell_jupyter_shows_what_an_answer_holds(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    lab = start_lab(repository.parent, "scripted-edits@0.02")
    cell = f"%%ac\nTell me.\n=====\n{ANSWER}\n{DIAGRAM}"
    write_notebook(repository / "magic.ipynb", "%load_ext jupyter_ac", cell)
    open_notebook(page, lab, f"{repository.name}/magic.ipynb")
    run_cell(page, 0)
    run_cell(page, 1)
    shown = page.locator(".jp-Notebook .jp-CodeCell").nth(1).locator(".jp-OutputArea-output").first
    expect(shown.locator("mjx-container").first).to_be_visible(timeout=DRAWING)
    page.screenshot(path=pictures / "magic-growing.png")
    expect(shown).to_contain_text("Done.", timeout=DRAWING)
    expect(shown.locator("mjx-container")).to_have_count(3)
    expect(shown).to_contain_text("costs $5 and $6.")
    expect(shown.locator("input[type=checkbox]")).to_be_checked()
    expect(shown.locator("td")).to_have_count(3)
    expect(shown.locator("img[src^='data:image/svg'], .jp-RenderedMermaid svg")).to_have_count(1)
    expect(shown.locator("pre code").filter(has_text="evil.example")).to_be_visible()
    page.screenshot(path=pictures / "magic-answer.png")
    assert [url for url in asked if "evil" in url] == []
