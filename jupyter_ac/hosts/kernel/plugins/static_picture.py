"""A panel as HTML that needs no script: what a saved notebook keeps of its last tree.

Nothing of it acts, everything that a plugin has given is escaped, and no more of it is shown than
fits. So it can be put into any page.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

from jupyter_ac.hosts.kernel.plugins.picture_attributes import attributes_of
from jupyter_ac.panels.wire import LAYOUT_TAGS, TEXT, JsonValue, UINode

MAX_CHARS: Final = 150_000
"""Of the whole picture."""

MAX_ROWS: Final = 50
"""Of a table or list whose rows the page would render as they come into view."""

_FRAME_CHARS: Final = 3_000
"""Left for what stands around the tree, and for closing tags."""

_VOID: Final = frozenset({"br", "hr", "img", "input"})
_CONTROLS: Final = frozenset({"button", "input", "select", "textarea"})
_SECRET_INPUTS: Final = frozenset({"password", "file", "hidden"})
_CUT: Final = '<p style="opacity: .7">… The rest of the panel is left out of this picture.</p>'

_BOX: Final = (
    "border: 1px solid #8886; border-radius: 8px; padding: 10px; overflow: auto; contain: content; "
    "font: 13px/1.5 system-ui, sans-serif"
)
_NOTE: Final = "opacity: .7; margin: 8px 0 0; font-size: 12px"


def static_picture(title: str, tree: UINode | None, error: str = "") -> str:
    """Return a panel as HTML.

    Args:
        title: of the panel.
        tree: that it shows; None: nothing.
        error: what has gone wrong in it, "" if nothing.
    """
    writer = _Writer(MAX_CHARS - _FRAME_CHARS - len(escape(error)))
    if tree is not None:
        writer.child(tree)
    shown = "".join(writer.pieces) + (_CUT if writer.is_full else "")
    failure = f'<p role="alert" style="color: #c33">{escape(error)}</p>' if error else ""
    note = f"Static picture of the panel “{escape(title)}”; run the cell to make it live."
    return f'<div style="{_BOX}">{failure}<div>{shown}</div><p style="{_NOTE}">{note}</p></div>'


class _Writer:
    """Writes nodes until the text is too long; what was begun is closed nevertheless.

    Args:
        room: characters that may be written.
    """

    def __init__(self, room: int) -> None:
        self.pieces: list[str] = []
        self.is_full = False
        self._room = room
        self._components: dict[str, Callable[[UINode], None]] = {
            "DataTable": self._table,
            "VirtualList": self._list,
        }

    def child(self, node: UINode | str, chosen: Sequence[str] | None = None) -> None:
        """Write a node.

        Args:
            node: a bare string is a text.
            chosen: the values of the nearest `select`.
        """
        if self.is_full:
            return
        if isinstance(node, str):
            self._write(escape(node))
        elif node["type"] == TEXT:
            self._write(escape(node.get("text", "")))
        elif node["type"] in LAYOUT_TAGS:
            self._element(node, chosen)
        else:
            self._components.get(node["type"], self._unknown)(node)

    def _element(self, node: UINode, chosen: Sequence[str] | None) -> None:
        tag, props = node["type"], node["props"]
        attributes = attributes_of(tag, props)
        if tag in _CONTROLS:
            attributes["disabled"] = ""
        if len(attributes.get("src", "")) > self._room:
            del attributes["src"]
        if tag == "input":
            attributes |= _input_state(props)
        if tag == "option" and chosen is not None and _option_value(node) in chosen:
            attributes["selected"] = ""
        if not self._write(_open(tag, attributes)) or tag in _VOID:
            return
        if tag == "textarea":
            self._write("\n" + escape(_text_of(_given(props, "value"))))
        if tag == "select":
            value = _given(props, "value")
            several = value if isinstance(value, list) else [] if value is None else [value]
            chosen = [_text_of(each) for each in several]
        for child in node["children"] if tag != "textarea" else ():
            self.child(child, chosen)
        self.pieces.append(f"</{tag}>")

    def _table(self, node: UINode) -> None:
        columns, rows = _list_of(node["props"], "columns"), _list_of(node["props"], "rows")
        if not self._write("<table><thead><tr>"):
            return
        self._cells("th", columns)
        self.pieces.append("</tr></thead><tbody>")
        for row in rows[:MAX_ROWS]:
            if not self._write("<tr>"):
                break
            self._cells("td", row if isinstance(row, list) else [row])
            self.pieces.append("</tr>")
        self.pieces.append("</tbody></table>")
        self._left_out(len(rows))

    def _cells(self, tag: str, values: Sequence[JsonValue]) -> None:
        for value in values:
            self._write(f"<{tag}>{escape(_text_of(value))}</{tag}>")

    def _list(self, node: UINode) -> None:
        if not self._write("<div>"):
            return
        for child in node["children"][:MAX_ROWS]:
            self.child(child)
        self.pieces.append("</div>")
        self._left_out(len(node["children"]))

    def _left_out(self, rows: int) -> None:
        if rows > MAX_ROWS:
            self._write(f'<p style="opacity: .7">… {rows - MAX_ROWS:,} more rows</p>')

    def _unknown(self, node: UINode) -> None:
        """Write a component of somebody else's page: its name, and what is in it."""
        if not self._write(
            f'<div><span style="opacity: .7">[{escape(node["type"][:100])}]</span> '
        ):
            return
        for child in node["children"]:
            self.child(child)
        self.pieces.append("</div>")

    def _write(self, text: str) -> bool:
        """Add a piece if it fits; returns whether it does."""
        self._room -= len(text)
        self.is_full = self.is_full or self._room < 0
        if not self.is_full:
            self.pieces.append(text)
        return not self.is_full


def _open(tag: str, attributes: Mapping[str, str]) -> str:
    spelled: Iterator[str] = (f' {name}="{escape(text)}"' for name, text in attributes.items())
    return f"<{tag}{''.join(spelled)}>"


def _input_state(props: Mapping[str, JsonValue]) -> dict[str, str]:
    """Return what an input shows; nothing that is hidden from who looks at the panel."""
    state = {}
    value = _given(props, "value")
    if value is not None and props.get("type") not in _SECRET_INPUTS:
        state["value"] = _text_of(value)
    if _given(props, "checked") is True:
        state["checked"] = ""
    return state


def _given(props: Mapping[str, JsonValue], name: str) -> JsonValue:
    return props.get(name, props.get(f"default{name.capitalize()}"))


def _option_value(node: UINode) -> str:
    value = node["props"].get("value")
    if value is not None:
        return _text_of(value)
    texts = (
        child if isinstance(child, str) else child.get("text", "") for child in node["children"]
    )
    return "".join(texts)


def _list_of(props: Mapping[str, JsonValue], name: str) -> list[JsonValue]:
    value = props.get(name)
    return value if isinstance(value, list) else []


def _text_of(value: JsonValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
