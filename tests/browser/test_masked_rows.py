from jupyter_ac.browser.masked_rows import masked_element, masked_page
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.selected_element import ComponentSource, ElementPreview, SelectedElement

SECRET = "hunter2hunter2"


def test_titles_addresses_and_dialogs_of_a_page() -> None:
    entry: dict[str, object] = {"url": f"http://a/?token={SECRET}", "title": f"token={SECRET}"}
    dialog: dict[str, object] = {"message": f"password: {SECRET}", "default_prompt": "x"}
    row = {**entry, "id": "1", "entries": [entry], "dialog": dialog, "done": True}
    masked = masked_page(row, PageRedactor([]))
    assert SECRET not in str(masked)
    assert (masked["id"], masked["done"]) == ("1", True)
    assert SECRET in str(row)
    assert masked_page({"dialog": None, "url": None}, PageRedactor([])) == {
        "dialog": None,
        "url": None,
    }


def test_texts_and_markup_of_an_element() -> None:
    preview = ElementPreview(
        tag="a", id="x", classes=[], text=f"token={SECRET}", selector="#x", role="link", name="x"
    )
    element = SelectedElement(
        id="1",
        preview=preview,
        selector="#auth:nth-of-type(2)",
        path=[],
        path_text="#x",
        js_path="",
        outer_html=f'<a data-token="{SECRET}" href="/?token={SECRET}">token={SECRET}</a>',
        styles={},
        rect=None,
        screenshot=None,
        backend_node_id=7,
        component=ComponentSource(
            framework="react",
            name="Cart",
            file=f"http://h/a.js?token={SECRET}",
            path="",
            line=1,
            column=1,
        ),
    )
    masked = masked_element(element, PageRedactor([]))
    assert SECRET not in str(masked)
    assert masked["selector"] == element["selector"]
