"""How a slip of the user's is answered: as a result, since the seeds' clients read it there."""

from typing import TypedDict


class Refusal(TypedDict):
    """Nothing was done.

    Attributes:
        error: one or two sentences for the user.
    """

    error: str
