"""Masks the secrets in what is shown of pages: titles, addresses, dialogs, chosen elements."""

from typing import Final, TypeVar, cast

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.selected_element import ElementPreview, SelectedElement

_Row = TypeVar("_Row")

_TEXTS: Final = ("title", "message", "default_prompt")


def masked_page(row: _Row, redactor: PageRedactor) -> _Row:
    """Mask a row about a page, with its dialog and the entries of its history.

    Args:
        row: with any of the members `url`, `title`, `message`, `dialog`, `entries`.
        redactor: masks the secrets.
    """
    return cast("_Row", _masked(cast("Json", row), redactor))


def masked_element(element: SelectedElement, redactor: PageRedactor) -> SelectedElement:
    """Mask a chosen element. Its selectors stay: they have no values of attributes but ids."""
    component = element["component"]
    return {
        **element,
        "preview": masked_preview(element["preview"], redactor),
        "outer_html": redactor.text(element["outer_html"]),
        "component": component
        and {
            **component,
            "name": redactor.text(component["name"]),
            "file": redactor.url(component["file"]),
        },
    }


def masked_preview(preview: ElementPreview, redactor: PageRedactor) -> ElementPreview:
    """Mask what is shown of a chosen element in a list."""
    return {
        **preview,
        "text": redactor.text(preview["text"]),
        "name": redactor.text(preview["name"]),
    }


def _masked(row: Json, redactor: PageRedactor) -> Json:
    masked = dict(row)
    for name, value in row.items():
        if name == "url" and isinstance(value, str):
            masked[name] = redactor.url(value)
        elif name in _TEXTS and isinstance(value, str):
            masked[name] = redactor.text(value)
        elif name == "dialog" and isinstance(value, dict):
            masked[name] = _masked(cast("Json", value), redactor)
        elif name == "entries" and isinstance(value, list):
            masked[name] = [_masked(cast("Json", entry), redactor) for entry in value]
    return masked
