"""What differs between a model of full size and the embedded one: values, never branches."""

import sys
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, Category

UNLIMITED: Final = sys.maxsize
"""More tokens than any model takes."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How a prompt is made for one kind of model; all limits in tokens.

    Attributes:
        name: as in `ModelChoice.profile`.
        template: file with the system prompt.
        file_tokens: all copies of files in one prompt together; beyond it they are cut openly.
        talk_tokens: past questions and answers; beyond it the oldest are left out.
        answer_tokens: longest answer that is asked for; None leaves it to the model's own limit.
    """

    name: str
    template: str
    file_tokens: int = UNLIMITED
    talk_tokens: int = UNLIMITED
    answer_tokens: int | None = None

    def head(self) -> tuple[Block, ...]:
        """Make the blocks of the system message."""
        return (Block(Category.SYSTEM, _template(self.template)),)


_PROFILES: Final = {
    profile.name: profile
    for profile in (
        Profile("standard", "system.md"),
        Profile("embedded", "embedded.md", 600, 400, 320),
    )
}


def profile(name: str) -> Profile:
    """Return the profile of this name; unknown names are standard."""
    return _PROFILES.get(name, _PROFILES["standard"])


@cache
def _template(name: str) -> str:
    folder = resources.files("jupyter_ac.chat.prompt") / "templates"
    return (folder / name).read_text(encoding="utf-8").strip()
