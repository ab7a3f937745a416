"""What of a plugin's props a static picture has: attributes and styles by allow-lists.

The lists are those of the page (`js/packages/ui/src/panels/attributes.ts` and `css-values.ts`)
without what acts: a picture has no classes, no ids and no names, and its controls are disabled.
"""

import re
from collections.abc import Mapping
from typing import Final

from jupyter_ac.panels.wire import JsonValue


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MAX_VALUE: Final = 10_000
_MAX_ADDRESS: Final = 2_000
_MAX_STYLE: Final = 2_000

_PICTURE: Final = re.compile(
    r"data:image/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]", re.IGNORECASE
)
_ADDRESS: Final = re.compile(r"(?:https?://|mailto:)[^\x00-\x1f\x7f-\x9f\s]+", re.IGNORECASE)
_ARIA: Final = re.compile(r"aria-[a-z]{1,40}")

_EVERYWHERE: Final = frozenset({"title", "role", "lang", "dir", "hidden"})

_BY_TAG: Final[Mapping[str, frozenset[str]]] = {
    tag: frozenset(names.split())
    for tag, names in {
        "a": "href",
        "img": "src alt width height",
        "input": "type placeholder min max step size",
        "textarea": "placeholder rows cols",
        "select": "multiple size",
        "option": "label",
        "td": "colspan rowspan",
        "th": "colspan rowspan scope abbr",
        "ol": "start reversed type",
        "li": "value",
    }.items()
}

_INPUT_TYPES: Final = _words(
    "text search email url tel password number range checkbox radio date time datetime-local "
    "month week color file button submit reset"
)

_FUNCTIONS: Final = _words(
    "rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp var "
    "minmax repeat fit-content linear-gradient radial-gradient conic-gradient "
    "repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient translate "
    "translatex translatey translate3d scale scalex scaley rotate skew skewx skewy matrix blur "
    "brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia inset "
    "circle ellipse polygon"
)
"""None that fetches anything, such as `url`."""

_UNITLESS: Final = _words(
    "aspect-ratio column-count columns fill-opacity flex flex-grow flex-shrink font-weight "
    "grid-area grid-column grid-column-end grid-column-start grid-row grid-row-end grid-row-start "
    "line-height opacity order orphans scale tab-size widows z-index zoom"
)

_REFUSED: Final = re.compile(
    "view-transition|anchor|position-|overlay|-moz-binding|behavior|animation|transition"
)
_CSS_NAME: Final = re.compile(r"-{0,2}[a-z][\w-]{0,99}")
_CALLED: Final = re.compile(r"([\w-]{0,40})\(")
_STAYING: Final = frozenset({"fixed", "sticky"})


def attributes_of(tag: str, props: Mapping[str, JsonValue]) -> dict[str, str]:
    """Return the attributes of an element by name, with its style; values aren't escaped."""
    allowed: dict[str, str] = {}
    for given, value in props.items():
        name = given.lower()
        if name in _EVERYWHERE or name in _BY_TAG.get(tag, ()) or _ARIA.fullmatch(name):
            text = _attribute_text(name, value)
            if text is not None and _is_allowed(tag, name, text):
                allowed[name] = text
    if "href" in allowed:
        allowed |= {"target": "_blank", "rel": "noopener noreferrer nofollow"}
    style = props.get("style")
    css = style_text(style) if isinstance(style, dict) else ""
    if css:
        allowed["style"] = css
    return allowed


def style_text(style: Mapping[str, JsonValue]) -> str:
    """Return the allowed declarations of a style object as CSS."""
    declarations = []
    for given, value in style.items():
        name = re.sub("[A-Z]", lambda found: f"-{found[0].lower()}", given)
        if given.startswith("--"):
            name = given
        text = _css_value(name, value)
        if text and _CSS_NAME.fullmatch(name) and not _REFUSED.match(name):
            declarations.append(f"{name}: {text}")
    return "; ".join(declarations)


def _attribute_text(name: str, value: JsonValue) -> str | None:
    if isinstance(value, str):
        return value if len(value) <= _MAX_VALUE or name == "src" else None
    if isinstance(value, bool):
        if name.startswith("aria-"):
            return str(value).lower()
        return "" if value else None
    return str(value) if isinstance(value, int | float) else None


def _is_allowed(tag: str, name: str, text: str) -> bool:
    if name == "href":
        return len(text) <= _MAX_ADDRESS and _ADDRESS.fullmatch(text) is not None
    if name == "src":
        return _PICTURE.match(text) is not None
    return tag != "input" or name != "type" or text in _INPUT_TYPES


def _css_value(name: str, value: JsonValue) -> str:
    """Return the text of a value; "" for one that is refused."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value}" if value == 0 or name in _UNITLESS else f"{value}px"
    if not isinstance(value, str) or len(value) > _MAX_STYLE:
        return ""
    text = value.strip()
    # Escapes and comments could hide a function's name, a semicolon another declaration.
    if any(sign in text for sign in ("\\", "/*", ";", "{", "}", "<", "@", "\0")):
        return ""
    if any(called and called.lower() not in _FUNCTIONS for called in _CALLED.findall(text)):
        return ""
    return "" if name == "position" and text.lower() in _STAYING else text
