"""A place in code at which a completion is wanted, and the requests for it.

What changes with each key stands last, and a text that is too long is cut in steps, so that the
beginning of a request stays the same while somebody types: the provider's cache can serve it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from jupyter_ac.chat.prompt.profiles import template

PREFIX_CHARS: Final = 8_000
SUFFIX_CHARS: Final = 2_000
BEFORE_CHARS: Final = 6_000
AFTER_CHARS: Final = 1_500
STEP_CHARS: Final = 2_000
"""The beginning of a text that is too long moves on by this much at once."""

_CELLS: Final = "\n\n"


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A place in a file or in a cell of a notebook.

    Attributes:
        path: of the document, relative to the repository.
        language: of the code; "" when it isn't known.
        prefix: the text before the cursor.
        suffix: the text behind it.
        before: the cells above, in their order.
        after: the cells below.
    """

    path: str
    language: str
    prefix: str
    suffix: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The text of the cursor's line before it."""
        return self.prefix.rpartition("\n")[2]

    @property
    def rest_of_line(self) -> str:
        """The text of the cursor's line behind it."""
        return self.suffix.partition("\n")[0]

    def bounded(self) -> Self:
        """Return the place with what is sent of its surroundings: what is near."""
        before = tuple(reversed([*_within(reversed(self.before), BEFORE_CHARS)]))
        return replace(
            self,
            prefix=_tail(self.prefix, PREFIX_CHARS),
            suffix=_head(self.suffix, SUFFIX_CHARS),
            before=before,
            after=tuple(_within(self.after, AFTER_CHARS)),
        )

    def messages(self) -> list[dict[str, object]]:
        """Make the request for a model that talks; the part before the cursor stands last."""
        about = f"File: {self.path}\nLanguage: {self.language or 'unknown'}\n"
        cells = _tagged("cells_above", self.before) + _tagged("cells_below", self.after)
        behind = f"<behind_cursor>{self.suffix}</behind_cursor>\n"
        parts = (f"{about}{cells}", f"{behind}<before_cursor>{self.prefix}")
        return [
            {"role": "system", "content": template("inline.md")},
            {"role": "user", "content": [{"type": "text", "text": part} for part in parts]},
        ]

    def gap(self) -> tuple[str, str]:
        """Make the request for a model that fills a gap: what stands before and behind it."""
        before = "".join(f"{cell}{_CELLS}" for cell in self.before)
        after = "".join(f"{_CELLS}{cell}" for cell in self.after)
        return before + self.prefix, self.suffix + after


def _tagged(tag: str, cells: Sequence[str]) -> str:
    return f"<{tag}>\n{_CELLS.join(cells)}\n</{tag}>\n" if cells else ""


def _tail(text: str, limit: int) -> str:
    """Return the end of a text, from the beginning of a line on where there is one."""
    excess = len(text) - limit
    if excess <= 0:
        return text
    at = -(-excess // STEP_CHARS) * STEP_CHARS
    end_of_line = text.find("\n", at)
    return text[end_of_line + 1 :] if 0 <= end_of_line < len(text) - 1 else text[at:]


def _head(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return text[: text.rfind("\n", 0, limit) + 1] or text[:limit]


def _within(cells: Iterable[str], limit: int) -> Iterator[str]:
    """Yield the first cells that have room together; blank ones are left out."""
    left = limit
    for cell in cells:
        if not cell.strip():
            continue
        left -= len(cell)
        if left < 0:
            return
        yield cell
