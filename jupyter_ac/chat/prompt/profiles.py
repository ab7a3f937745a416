"""What differs between a model of full size and the embedded one: values, never branches."""

import sys
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, Category, wellformed
from jupyter_ac.models.choice import ModelChoice

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
        own: the user's system prompt, in place of the template.
        extra: what the user adds to it.
    """

    name: str
    template: str
    file_tokens: int = UNLIMITED
    talk_tokens: int = UNLIMITED
    answer_tokens: int | None = None
    own: str = ""
    extra: str = ""

    def head(self) -> tuple[Block, ...]:
        """Make the blocks of the system message."""
        texts = (self.own or _template(self.template), self.extra)
        return (Block(Category.SYSTEM, wellformed("\n\n".join(filter(None, texts)))),)


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


def profile_of(
    choice: ModelChoice, wanted: str = "auto", own: str = "", extra: str = ""
) -> Profile:
    """Return the profile for a model.

    Args:
        choice: the model.
        wanted: a profile's name, or `auto` for the model's own.
        own: the user's system prompt; "" keeps ours.
        extra: what the user adds to it. The small model's prompt has no room for either.
    """
    found = profile(choice.profile if wanted == "auto" else wanted)
    return found if found.file_tokens < UNLIMITED else replace(found, own=own, extra=extra)


@cache
def _template(name: str) -> str:
    folder = resources.files("jupyter_ac.chat.prompt") / "templates"
    return (folder / name).read_text(encoding="utf-8").strip()
