"""The tools `map` and `context_breakdown`: what the repository has, and what a question costs."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, cast

from jupyter_ac.agent.tool import Arguments, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import TEXT, described, number_in, parameters, text_in
from jupyter_ac.agent.tools.result_text import ResultMasker, bounded, one_line
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import shown_path, wellformed
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.chat.turn.runner import require_length
from jupyter_ac.errors import NotFound, NotReady
from jupyter_ac.git.excluded_paths import ReadExcluded
from jupyter_ac.index.client import IndexClient
from jupyter_ac.services.llm.indexing import Indexing
from jupyter_ac.services.llm.maps import excluded_wire

BUDGET: Final = 4096
"""Tokens of a map that says nothing else."""

MAX_BUDGET: Final = 20_000
MAX_FILES: Final = 200

_INDEX_S: Final = 600.0
_DRAW_S: Final = 120.0
_FILES: Final[Mapping[str, object]] = {"type": "array", "items": TEXT, "maxItems": MAX_FILES}


class MapTool(UnaskedTool):
    """Draws a map of the repository for some files and a question.

    Args:
        index: of the repository.
        freshness: knows whether the index is up to date.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "map",
        "Show a ranked map of the repository: files with their symbols and signatures, those first "
        "that the given files and question are likely to need.",
        parameters(
            (),
            files=described(_FILES, "paths that it is about"),
            question=described(TEXT, "what is to be done"),
            budget={"type": "integer", "minimum": 64, "maximum": MAX_BUDGET},
        ),
        Right.READ,
    )

    def __init__(
        self,
        index: IndexClient,
        freshness: Indexing,
        masker: ResultMasker,
        excluded: ReadExcluded,
    ) -> None:
        self._index, self._freshness, self._masker = index, freshness, masker
        self._excluded = excluded

    def title(self, arguments: Arguments) -> str:
        """Return the question, or the files."""
        question = text_in(arguments, "question", "")
        return one_line(question or ", ".join(map(shown_path, _files(arguments)))) or "all files"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the map.

        Raises:
            NotReady: there is no index.
            RefusedPath: a file that was named is excluded.
            NotFound: nothing fits.
        """
        if not await self._freshness.settled(_INDEX_S):
            raise NotReady(self._index.status.reason or "The index isn't ready yet; try again.")
        excluded = await self._excluded()
        for path in _files(arguments):
            excluded.require_sent(path)
        found = await self._index.call(
            "Index.whole_map",
            list(_files(arguments)),
            text_in(arguments, "question", ""),
            number_in(arguments, "budget", BUDGET),
            *excluded_wire(excluded),
            timeout_s=_DRAW_S,
        )
        text = str(found["text"]) if isinstance(found, dict) else ""
        if not text:
            raise NotFound("The map is empty: there are no files, or none fits into the budget.")
        masked = await self._masker.masked(context.conversation, text)
        return ToolResult(bounded(masked, "ask with a smaller budget", MAX_BUDGET * 5))


class ContextBreakdownTool(UnaskedTool):
    """Counts what a question with some files would send, by category and file, and its price.

    Args:
        ports: what the stages of a question work with.
    """

    definition = ToolDefinition(
        "context_breakdown",
        "Count the tokens of files, and of a question about them as jupyter_ac's chat would send "
        "it: by category and file, with the expected price. Sends nothing.",
        parameters((), files=described(_FILES, "paths"), question=TEXT),
        Right.READ,
    )

    def __init__(self, ports: TurnPorts) -> None:
        self._ports = ports

    def title(self, arguments: Arguments) -> str:
        """Return the files."""
        return one_line(", ".join(map(shown_path, _files(arguments)))) or "no files"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Return the breakdown as JSON.

        Raises:
            NotFound: one of the files isn't there.
            RefusedPath: one of them is excluded.
        """
        question = text_in(arguments, "question", "")
        require_length(question)
        excluded = await self._ports.files.excluded()
        for path in (files := _files(arguments)):
            excluded.require_sent(path)
            if not await self._ports.files.known([path]):
                raise NotFound(f"There is no file {shown_path(path)} in the repository.")
        known = await self._ports.files.known(files)
        conversation = context.conversation.as_if(selection=known)
        found = await context_breakdown(conversation, self._ports, question)
        text = wellformed(json.dumps(found, ensure_ascii=False, indent=1))
        return ToolResult(bounded(text, "name fewer files"))


def _files(arguments: Arguments) -> Sequence[str]:
    return cast("Sequence[str]", arguments.get("files") or ())
