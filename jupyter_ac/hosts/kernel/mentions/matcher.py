"""The matcher that gives IPython's completer the mentions of `%%ac` cells; does nothing in others.

It is registered by `%load_ext` and so imports nothing that costs time; what completes is loaded at
the first mention.
"""

from importlib import import_module
from typing import Final

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult
from IPython.core.interactiveshell import InteractiveShell

_MAGIC: Final = "%%ac"


class MentionMatcher:
    """A matcher of IPython's second matcher interface.

    Args:
        shell: whose completer asks.
    """

    matcher_api_version = 2
    matcher_identifier = "jupyter_ac.mentions"
    matcher_priority = 100

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self.__qualname__ = type(self).__qualname__  # IPython reads it from each matcher

    def register(self) -> None:
        """Let the completer ask; a second time does nothing."""
        if self not in self._matchers():
            self._matchers().append(self)

    def unregister(self) -> None:
        """Take the matcher out of the completer."""
        if self in self._matchers():
            self._matchers().remove(self)

    def __call__(self, context: CompletionContext) -> SimpleMatcherResult:
        """Return the mentions that fit, and suppress Python's names beside them."""
        text = context.full_text
        if (
            not text.startswith(_MAGIC)
            or text[len(_MAGIC) :][:1].strip()
            or not context.cursor_line
        ):
            return {"completions": []}
        module = import_module(f"{__package__}.completion")
        begun: str = module.begun_mention(context.text_until_cursor)
        found: list[str] = module.completions(self._shell, begun) if begun else []
        return {
            "completions": [SimpleCompletion(match, type="mention") for match in found],
            "matched_fragment": begun or context.token,
            "suppress": True,
            "ordered": True,
        }

    def _matchers(self) -> list[object]:
        found: list[object] = self._shell.Completer.custom_matchers
        return found
