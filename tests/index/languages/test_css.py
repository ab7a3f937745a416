"""CSS: rules and custom properties are symbols, an import leads to its file."""

from tests.support.indexed import imported, record_of, state_of

SHEET = "@import 'base.css';\n:root { --gap: 1px }\n.big { margin: var(--gap) }\n"


def test_what_a_style_sheet_says() -> None:
    state = state_of({"a.css": SHEET, "base.css": ""})
    assert {".big", "--gap"} <= {symbol.name for symbol in record_of(state, "a.css").symbols}
    assert imported(state, "a.css") == ["base.css"]
