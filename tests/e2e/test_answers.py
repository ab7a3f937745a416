"""What an answer may hold besides prose and code: formulas, tasks, tables, diagrams."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.lab import Lab
from tests.e2e.notebook import PANEL_CELLS, open_notebook, run_all, write_notebook
from tests.e2e.panel import SECONDS, Panel
from tests.e2e.test_looks import OVERFLOW
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
| `feels_like_temperature` | temperature | extraordinarily |
"""
DIAGRAM = """```mermaid
graph TD
  A[Readings] --> B[Mean]
```

```mermaid
graph TD
  A[[[
```

Done.
"""
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
    expect(answer.locator("math")).to_have_count(2)
    assert sum("maths-" in url for url in loaded) == 1
    assert answer.locator("mfrac").evaluate(ONE_ABOVE_THE_OTHER)
    expect(answer).to_contain_text("costs $5 and $6.")
    expect(answer.get_by_role("checkbox", name="Done")).to_be_disabled()
    table = answer.locator("table")
    assert table.evaluate(BROKEN_WORDS) == []
    assert table.evaluate("table => table.scrollWidth > table.clientWidth")
    assert panel.app.evaluate(OVERFLOW) == []
    assert complaints == []


def test_jupyterlab_draws_the_diagrams_of_an_answer_in_a_cell(
    page: Page, start_lab: Callable[..., Lab], repository: Path, pictures: Path
) -> None:
    lab = start_lab(repository.parent, "scripted-edits")
    write_notebook(repository / "chat.ipynb", *PANEL_CELLS)
    open_notebook(page, lab, f"{repository.name}/chat.ipynb")
    run_all(page)
    panel = Panel(page)
    panel.wait_for("ready")
    panel.ask(f"Draw it.\n=====\n{DIAGRAM}")
    answer = panel.answer()
    image = answer.get_by_role("img", name="Diagram")
    expect(image).to_have_count(1, timeout=60 * SECONDS)
    assert 0 < image.evaluate("image => image.decode().then(() => image.clientWidth)") < 300
    expect(answer).to_contain_text("mermaid: not drawn")
    image.scroll_into_view_if_needed()
    page.screenshot(path=pictures / "answer-diagram.png")
    expect(answer.get_by_text("A[Readings]")).to_be_hidden()
    image.click()
    expect(answer.get_by_text("A[Readings]")).to_be_visible()
