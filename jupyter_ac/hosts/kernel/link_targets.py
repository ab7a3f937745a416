"""Shows the real target of a link whose text is another address.

`[https://bank.example](https://evil.example)` becomes `[https://bank.example (evil.example)](…)`.
`js/packages/ui/src/markdown/link-targets.ts` has the same rule for the panel.
"""

import re
import unicodedata
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import unquote

_BETWEEN: Final = re.compile(r"[^\w.-]+")
_TOP_LEVEL: Final = re.compile(r"[^\W\d_]{2,}|xn--[a-z0-9-]+")
_NUMBERS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_SCHEME: Final = re.compile(r"\s*+(https?|mailto):", re.IGNORECASE)
_AUTHORITY: Final = re.compile(r"[/\\]*+([^/\\?#]*)")
_PORT: Final = re.compile(r":\d*\Z")
_LINK: Final = re.compile(r"\]\((?=\s*(?:https?:|mailto:))\s*+([^\s)]*+)", re.IGNORECASE)
_BARE: Final = re.compile(r"(?<![\w(])(?:https?://|www\.)[^\s()<>\[\]`]++", re.IGNORECASE)

# What is shown as nothing and is no format character.
_UNSEEN: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0" + "".join(map(chr, range(0xFE00, 0xFE10)))
)


def show_targets(line: str) -> str:
    """Return a line of Markdown in which each link says where it leads, if its text says another.

    Every `](` before an address is taken for a link's, also in code, since readers of Markdown
    differ in what is code; so is every bare address.
    """
    pieces, at = [], 0
    opened: list[int] = []
    seen = 0
    for link in _LINK.finditer(line):
        for bracket in re.finditer(r"[\[\]]", line[seen : link.start()]):
            if bracket[0] == "[":
                opened.append(seen + bracket.end())
            elif opened:
                opened.pop()
        seen = link.start() + 1
        # A text that began on an earlier line is all that stands before.
        begin = opened.pop() if opened else 0
        target = hidden_target(_written(line[begin : link.start()]), _written(link[1]))
        pieces.append(_with_bare(line[at : link.start()]))
        pieces.append(f" ({target})" if target else "")
        pieces.append(link[0])
        at = link.end()
    return "".join((*pieces, _with_bare(line[at:])))


def hidden_target(text: str, url: str) -> str:
    """Return what is to be shown of a link's target beside its text; "" for a text that is true.

    Args:
        text: what a reader sees of the link.
        url: where it leads: http, https or mailto.
    """
    scheme = _SCHEME.match(url)
    if scheme is None:
        return ""
    named = list(_hosts_in(text))
    rest = url[scheme.end() :]
    if scheme[1].lower() == "mailto":
        mailbox = unquote(rest.partition("?")[0])
        return mailbox if named and _plain(text) != _plain(mailbox) else ""
    authority = _AUTHORITY.match(rest)
    user, _, place = ("" if authority is None else authority[1]).rpartition("@")
    host = _ascii(_PORT.sub("", unquote(place)))
    is_dressed = bool(user) or "xn--" in host
    return host if is_dressed or any(name != _bare(host) for name in named) else ""


def _with_bare(text: str) -> str:
    """Show the host of each address that stands for itself, where that isn't what it seems."""

    def shown(match: re.Match[str]) -> str:
        written = _written(match[0])
        url = written if _SCHEME.match(written) else f"http://{written}"
        target = hidden_target("", url)
        return f"{match[0]} ({target})" if target else match[0]

    return _BARE.sub(shown, text)


def _written(markdown: str) -> str:
    """Return what escapes and entities stand for, without marks for bold type and code."""
    return unescape(_ESCAPE.sub(r"\1", markdown)).translate({ord(sign): None for sign in "*`~"})


def _hosts_in(text: str) -> Iterator[str]:
    """Yield the hosts that a text names, or seems to."""
    plain = _plain(text)
    at = 0
    for between in (*_BETWEEN.finditer(plain), None):
        end = len(plain) if between is None else between.start()
        name = plain[at:end].strip(".")
        is_after_scheme = at > 1 and plain[at - 1] in "/\\" and plain[at - 2] in "/\\"
        if name and (is_after_scheme or _is_dotted(name)):
            yield _bare(_ascii(name))
        at = len(plain) if between is None else between.end()


def _is_dotted(name: str) -> bool:
    labels = name.split(".")
    if len(labels) == 1 or "" in labels:
        return False
    return bool(_TOP_LEVEL.fullmatch(labels[-1]) or _NUMBERS.fullmatch(name))


def _plain(text: str) -> str:
    """Return a text as a reader sees it: nothing unseen, letters in their usual form."""
    usual = unicodedata.normalize("NFKC", text)
    seen = (c for c in usual if c not in _UNSEEN and unicodedata.category(c) != "Cf")
    return "".join(seen).replace("\u3002", ".").strip().lower()


def _ascii(host: str) -> str:
    """Return a host as a browser asks for it; as it is when no such host can be."""
    plain = _plain(host)
    try:
        return plain if plain.isascii() else plain.encode("idna").decode()
    except UnicodeError:
        return f"xn--{plain.encode('punycode', 'replace').decode('ascii', 'replace')}"


def _bare(host: str) -> str:
    return host.removesuffix(".").removeprefix("www.")
