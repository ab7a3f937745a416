"""The inputs of a session, newest last."""

from typing import Final, TypedDict

from jupyter_ac.errors import InvalidParams

MOST_INPUTS: Final = 100
SOURCE_CHARS: Final = 4000


class HistoryRow(TypedDict):
    """An input.

    Attributes:
        number: of its run, as in `In [3]`.
        source: as it was typed, at most `SOURCE_CHARS` characters.
        is_cut: whether it was longer.
    """

    number: int
    source: str
    is_cut: bool


def last_inputs(inputs: object, count: int) -> list[HistoryRow]:
    """Return the last inputs that aren't empty, the newest last.

    Args:
        inputs: a list by number, as IPython keeps it in `input_hist_raw`; the first has number 0.
        count: from 1 to `MOST_INPUTS`.

    Raises:
        InvalidParams: the count is out of range.
    """
    if not 1 <= count <= MOST_INPUTS:
        raise InvalidParams(f"n must be from 1 to {MOST_INPUTS}, not {count}")
    if type(inputs) is not list:
        return []
    held = list(enumerate(inputs))
    sources = [(number, source) for number, source in held if type(source) is str and source]
    return [
        {
            "number": number,
            "source": source[:SOURCE_CHARS],
            "is_cut": len(source) > SOURCE_CHARS,
        }
        for number, source in sources[-count:]
    ]
