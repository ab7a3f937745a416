"""A Markdown heading without its markup."""

import re
from html import unescape
from typing import Final

MAX_HEADING: Final = 400
"""Characters of a heading that are looked at."""

# Code stands aside as characters for private use while the markup around it is taken away.
_ASIDE: Final = 0xE000
_STAND_INS: Final = re.compile("[\ue000-\uf8ff]")
_CODE: Final = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_IMAGE: Final = re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])")
_LINK: Final = re.compile(r"\[([^\[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])")
_TAG: Final = re.compile(r"<(?:[A-Za-z/][^<>]*|!--.*?--)>", re.DOTALL)
_STARS: Final = re.compile(r"(?<!\\)(\*{1,3}|~~)(?=\S)(.+?)(?<=[^\s\\])\1", re.DOTALL)
_LOW_LINES: Final = re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain_heading(markup: str) -> str:
    """Return what a reader of the page sees, code without its backticks, images left out."""
    codes: list[str] = []

    def set_aside(match: re.Match[str]) -> str:
        codes.append(match[2].strip())
        return chr(_ASIDE + len(codes) - 1)

    text = _CODE.sub(set_aside, _STAND_INS.sub("", markup[:MAX_HEADING]))
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    text = _STARS.sub(r"\2", _TAG.sub("", text))
    text = unescape(_ESCAPE.sub(r"\1", _LOW_LINES.sub(r"\2", text)))
    text = _STAND_INS.sub(lambda match: _code(match[0], codes), text)
    return " ".join(text.split())


def _code(stand_in: str, codes: list[str]) -> str:
    number = ord(stand_in) - _ASIDE
    # An entity may have spelled a stand-in.
    return codes[number] if number < len(codes) else ""
