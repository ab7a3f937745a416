"""Parses a commit message from a model's answer: subject and body, without the text around them."""

import re
from typing import Final

MAX_SUBJECT_CHARS: Final = 100
MAX_BODY_LINES: Final = 40
MAX_BODY_CHARS: Final = 3_000

_THOUGHT: Final = ("<think>", "</think>")
_FENCE: Final = "```"
_LABEL: Final = re.compile(r"\A(?:\*\*)?commit message:?(?:\*\*)?:?[ \t]*\n*", re.IGNORECASE)
_SUBJECT_LABEL: Final = re.compile(
    r"\A(?:\*\*)?(?:subject|title)(?:\*\*)?:(?:\*\*)?[ \t]+", re.IGNORECASE
)
_MOST_LEADS: Final = 3
_QUOTES: Final = {'"': '"', "'": "'", "`": "`", "“": "”", "«": "»"}
# A first line that only leads to the message, and paragraphs that only talk about it.
_LEADS: Final = (
    *(
        "here is",
        "here's",
        "here\u2019s",
        "here are",
        "below is",
        "the following",
        "sure",
        "certainly",
    ),
    *("of course", "okay", "ok,", "based on", "this is the", "i would suggest", "i suggest"),
)
_ABOUT: Final = (
    *("explanation", "rationale", "let me know", "feel free", "i hope", "would you like"),
    *("this commit message", "this message", "the message follows", "the commit message"),
    *("alternatively", "if you'd like", "if you would like", "if you want", "reasoning:"),
    *("**explanation", "**rationale", "**why this", "**alternative", "**note", "option 2"),
)
# A first line that is a message's already while it is written.
_SUBJECT: Final = re.compile(r"[a-z]{2,12}(?:\([^()\n]{1,40}\))?!?: ")
_RULE: Final = re.compile(r"(?:-{3,}|\*{3,}|_{3,}|={3,})\Z")
_HEADING: Final = re.compile(r"#{1,6} ")


def message_in(answer: str) -> str:
    """Take the message out of what a model wrote around it: fences, quotes, labels, remarks."""
    text = _unfenced(without_thoughts(answer).replace("\0", "").strip())
    text = _LABEL.sub("", _without_lead(text)).strip()
    closing = _QUOTES.get(text[:1])
    if closing and len(text) > 1 and text.endswith(closing) and closing not in text[1:-1]:
        text = text[1:-1].strip()
    subject, _, rest = text.partition("\n")
    subject, rest = _short(_plain(subject.rstrip()), rest)
    body = _body(rest)
    return f"{subject}\n\n{body}" if body else subject


def without_thoughts(text: str) -> str:
    """Leave out what a model thought aloud; what it has begun and not ended stays."""
    opening, closing = _THOUGHT
    kept, at = [], 0
    while (begin := text.find(opening, at)) >= 0:
        end = text.find(closing, begin)
        if end < 0:
            break
        kept.append(text[at:begin])
        at = end + len(closing)
    return "".join((*kept, text[at:]))


class PartialMessage:
    """The message while the model writes: what of it is certain, and never taken back."""

    def __init__(self) -> None:
        self._answer: list[str] = []
        self._given = ""
        self._has_line = False

    def add(self, piece: str) -> str:
        """Take what the model has just written; returns what follows of the message."""
        self._answer.append(piece)
        is_first_line = not self._has_line
        self._has_line = self._has_line or "\n" in piece
        if not is_first_line and "\n" not in piece:
            return ""
        text = "".join(self._answer).lstrip()
        if text.startswith(_THOUGHT[0]) and _THOUGHT[1] not in text:
            return ""
        whole, end, _ = text.rpartition("\n")
        if not end:
            return self._grown(text) if _SUBJECT.match(text) else ""
        is_open = whole.count(_FENCE) % 2 == 1
        message = message_in(f"{whole}\n{_FENCE}" if is_open else whole)
        return "" if _leads(whole) else self._grown(message)

    def end(self, message: str) -> str:
        """Return what follows of the message as it is in the end; "" when it became another one."""
        return self._grown(message)

    def _grown(self, message: str) -> str:
        if not message.startswith(self._given):
            return ""
        fresh = message[len(self._given) :]
        self._given = message
        return fresh


def _leads(text: str) -> bool:
    """Tell whether there is nothing yet but a line that leads to the message."""
    line = text.strip()
    return "\n" not in line and (line.endswith(":") or line.lower().startswith(_LEADS))


def _unfenced(text: str) -> str:
    """Return what stands in a text's first code block, where the message does.

    It does when nothing stands before the block but a line that leads to it.
    """
    head, fence, rest = text.partition(_FENCE)
    lead = head.strip()
    is_led = "\n" not in lead and (lead.endswith(":") or lead.lower().startswith(_LEADS))
    if not fence or (lead and not (is_led and head.endswith("\n"))):
        return text
    info, _, body = rest.lstrip("`").partition("\n")
    inner, closing, _ = body.partition(_FENCE)
    return inner.strip() if closing and "`" not in info else text


def _without_lead(text: str) -> str:
    """Leave out first lines such as "Here is the commit message:"."""
    for _ in range(_MOST_LEADS):
        line, _, rest = text.partition("\n")
        line = line.strip()
        if not line.lower().startswith(_LEADS):
            break
        lead, colon, message = line.partition(": ")
        if line.endswith((":", "!", ".")) and rest.strip():
            text = rest.lstrip()
        elif colon and "message" in lead.lower() and message.strip():
            return f"{message.strip()}\n{rest}"
    return text


def _plain(subject: str) -> str:
    """Return a subject without the marks of a heading, of bold text, and without a label."""
    subject = _SUBJECT_LABEL.sub(
        "", subject.lstrip("#").lstrip() if "# " in subject[:7] else subject
    )
    if len(subject) > len("****") and subject.startswith("**") and subject.endswith("**"):
        subject = subject[2:-2]
    return subject.strip()


def _short(subject: str, rest: str) -> tuple[str, str]:
    """Return a subject of bounded length; what is over goes to the body."""
    if len(subject) <= MAX_SUBJECT_CHARS:
        return subject, rest
    end = subject.find(". ", 0, MAX_SUBJECT_CHARS)
    if end > 0:
        return subject[:end], f"{subject[end + 2 :]}\n\n{rest}"
    end = subject.rfind(" ", 0, MAX_SUBJECT_CHARS - 2)
    end = end if end > 0 else MAX_SUBJECT_CHARS - 2
    return f"{subject[:end]} …", f"… {subject[end:].strip()}\n\n{rest}"


def _body(text: str) -> str:
    """Return the body: without code blocks, up to talk about the message, and bounded."""
    kept: list[str] = []
    is_fenced, size = False, 0
    for line in map(str.rstrip, text.strip().splitlines()):
        is_fence = line.lstrip().startswith(_FENCE)
        is_fenced = is_fenced != is_fence
        if is_fenced or is_fence:
            continue
        begins = not kept or not kept[-1]
        if begins and not line:
            continue
        if begins and _is_about(line):
            break
        size += len(line) + 1
        if len(kept) == MAX_BODY_LINES or size > MAX_BODY_CHARS:
            break
        kept.append(line)
    return "\n".join(kept).strip()


def _is_about(line: str) -> bool:
    told = line.strip()
    return bool(told.lower().startswith(_ABOUT) or _RULE.match(told) or _HEADING.match(told))
