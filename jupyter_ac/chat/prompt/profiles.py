"""Prompt profiles: values and texts that differ between a full-size model and the embedded one."""

import sys
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, Category, wellformed
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.settings.snippets import Mode


@cache
def template(name: str) -> str:
    """Return the text of a file in `templates/`, without the blanks at its ends."""
    folder = resources.files("jupyter_ac.chat.prompt") / "templates"
    return (folder / name).read_text(encoding="utf-8").strip()


UNLIMITED: Final = sys.maxsize
"""More tokens than any model takes."""


@dataclass(frozen=True, slots=True)
class PromptProfile:
    """How a prompt is made for one kind of model; all limits in tokens.

    Attributes:
        name: as in `ModelChoice.profile`.
        template: file with the system prompt.
        file_tokens: all copies of files in one prompt together; beyond it they are cut openly.
        talk_tokens: past questions and answers; beyond it the oldest are left out.
        answer_tokens: longest answer that is asked for; None leaves it to the model's own limit.
        reminder: file with the rules that are repeated behind each question; "" for none.
        own: the user's system prompt, in place of the template.
        extra: what the user adds to it.
    """

    name: str
    template: str
    file_tokens: int = UNLIMITED
    talk_tokens: int = UNLIMITED
    answer_tokens: int | None = None
    reminder: str = ""
    own: str = ""
    extra: str = ""

    def head(self) -> tuple[Block, ...]:
        """Make the blocks of the system message."""
        texts = (self.own or template(self.template), self.extra)
        return (Block(Category.SYSTEM, wellformed("\n\n".join(filter(None, texts)))),)

    def closing(self) -> tuple[Block, ...]:
        """Make the blocks after the question of one request; they are not stored in the log."""
        if not self.reminder:
            return ()
        return (Block(Category.REMINDER, wellformed(template(self.reminder))),)

    @property
    def is_full(self) -> bool:
        """Whether files and talk have no limits of their own, so that the log goes out whole."""
        return self.file_tokens == UNLIMITED


_PROFILES: Final = {
    profile.name: profile
    for profile in (
        PromptProfile("standard", "system.md", reminder="reminder.md"),
        PromptProfile("review", "review.md"),
        PromptProfile("doc", "system_doc.md", reminder="reminder.md"),
        PromptProfile("embedded", "embedded.md", 600, 400, 320),
    )
}


def profile(name: str) -> PromptProfile:
    """Return the profile of this name; unknown names are standard."""
    return _PROFILES.get(name, _PROFILES["standard"])


def profile_of(
    choice: ModelChoice, wanted: str = "auto", own: str = "", extra: str = "", mode: Mode = "code"
) -> PromptProfile:
    """Return the profile for a model.

    Args:
        choice: the model.
        wanted: a profile's name, or `auto` for the model's own.
        own: the user's system prompt; "" keeps ours.
        extra: what the user adds to it. The small model's prompt has no room for either.
        mode: what is being done; the small model has one prompt for all.
    """
    found = profile(choice.profile if wanted == "auto" else wanted)
    if found.is_full and mode != "code":
        found = _PROFILES[mode]
    return replace(found, own=own, extra=extra) if found.is_full else found
