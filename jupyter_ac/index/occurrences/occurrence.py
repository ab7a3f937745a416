"""An occurrence of a name in code, and its form between processes."""

from collections.abc import Sequence
from typing import Final, NamedTuple

SELF: Final = "self"
"""Root of what stands behind the object that a method belongs to."""

SUPER: Final = "super"
"""Root of what stands behind what the class of that object extends."""

UNKNOWN: Final = ""
"""Root of what nothing is known of."""


class Origin(NamedTuple):
    """The origin of a value, as far as its file shows it.

    Attributes:
        root: a name that the file doesn't hold as a local one, `SELF`, `SUPER`, or `UNKNOWN`.
        types: names in the type that a local name is declared with; they stand for the root.
        steps: members that are taken off the root, one after another.
    """

    root: str
    types: tuple[str, ...]
    steps: tuple[str, ...]


NOWHERE: Final = Origin(UNKNOWN, (), ())


class Occurrence(NamedTuple):
    """A name in code.

    Attributes:
        name: as written.
        line: 1-based.
        column: 0-based, in UTF-16 code units.
        is_member: whether it is taken off something.
        local: line and column of the local name that it is, (0, 0) when it is none.
        origin: of what it is taken off; of a local name, where its value comes from.
    """

    name: str
    line: int
    column: int
    is_member: bool
    local: tuple[int, int]
    origin: Origin

    @property
    def is_local(self) -> bool:
        """Whether it is a parameter, or a variable inside a function."""
        return self.local != NO_PLACE


NO_PLACE: Final = (0, 0)

Row = Sequence[object]


def to_row(occurrence: Occurrence) -> list[object]:
    """Write an occurrence as JSON."""
    name, line, column, is_member, local, origin = occurrence
    return [name, line, column, is_member, *local, origin.root, origin.types, origin.steps]


def from_row(row: Row) -> Occurrence:
    """Read what `to_row` has written.

    Raises:
        ValueError: something else has written it.
    """
    match row:
        case [str(name), int(line), int(column), bool(member), int(at), int(there), *rest]:
            return Occurrence(name, line, column, member, (at, there), _origin(rest))
    raise ValueError("This row is no occurrence.")


def _origin(rest: Sequence[object]) -> Origin:
    match rest:
        case [str(root), [*types], [*steps]]:
            return Origin(root, tuple(map(str, types)), tuple(map(str, steps)))
    raise ValueError("This row is no occurrence.")
