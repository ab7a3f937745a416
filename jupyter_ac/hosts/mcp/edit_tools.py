"""The tools `edit_files` and `undo_edit`: exact edits by the chat's engine, and their undo."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from jupyter_ac.agent.run_texts import edits_text
from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import TEXT, described, parameters, text_in
from jupyter_ac.agent.tools.asked_calls import AskedCalls
from jupyter_ac.agent.tools.checked_files import CheckedFiles
from jupyter_ac.agent.tools.result_text import ResultMasker, bounded, counted, one_line
from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edit_blocks.blocks import BlockKind, EditBlock
from jupyter_ac.chat.edits.apply_options import ApplyOptions
from jupyter_ac.chat.edits.applying.applier import Applier
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.prompt.blocks import shown_path, wellformed
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.hosts.mcp.edit_checkpoints import EditCheckpoints

MAX_EDITS: Final = 100
"""Of one call."""

_LINE_END: Final = re.compile(r"\r\n|\n")
_EDIT: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "path": TEXT,
        "old": described(
            TEXT,
            "whole lines, copied exactly, that occur once in the file; without it the file is "
            "created",
        ),
        "new": described(TEXT, "the lines in their place"),
        "action": {"type": "string", "enum": ["edit", "delete", "rename"]},
        "new_path": described(TEXT, "of a file that is renamed"),
    },
    "required": ["path"],
    "additionalProperties": False,
}
_APPLIED: Final = frozenset({BlockStatus.APPLIED, BlockStatus.ALREADY_APPLIED})
_REVIEW: Final = "The user's settings ask before each edit (edits.review)."


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the user was asked about.

    Attributes:
        blocks: the edits.
        protected: by the index of an edit, why its file wants an acceptance of its own.
        reasons: why the user is asked, sentences.
    """

    blocks: tuple[EditBlock, ...]
    protected: Mapping[int, str]
    reasons: tuple[str, ...]


class EditFilesTool:
    """Edits files.

    Args:
        edits: how edits are made.
        files: says which files the user is asked about.
        masker: masks secrets.
    """

    definition = ToolDefinition(
        "edit_files",
        "Edit, create, delete or rename files of the repository. The old text must be whole lines, "
        "copied exactly, and occur once. Each edit is applied or refused as a whole; what is "
        "applied is staged in git, and undo_edit takes it back. Notebooks are edited as the text "
        "that read_file shows.",
        parameters(
            ("edits",),
            edits={"type": "array", "items": _EDIT, "minItems": 1, "maxItems": MAX_EDITS},
        ),
        Right.EXECUTE,
    )

    def __init__(self, edits: EditPorts, files: CheckedFiles, masker: ResultMasker) -> None:
        self._edits = edits
        self._files = files
        self._masker = masker
        self._asked: AskedCalls[_Asked] = AskedCalls()

    def title(self, arguments: Arguments) -> str:
        """Return the files' paths."""
        paths = dict.fromkeys(shown_path(block.path) for block in _blocks(arguments))
        return one_line(", ".join(paths))

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask before files change that run by themselves, that git ignores or that have secrets.

        Raises:
            AcError: a path can't be used.
        """
        asked = await self._look(_blocks(arguments), context.conversation)
        self._asked.keep(context, asked)
        if not asked.reasons:
            return None
        text = "\n".join(_shown(block) for block in asked.blocks)
        return Question(wellformed(text), why=" ".join(asked.reasons))

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Make the edits; the result says what became of each.

        Raises:
            AcError: they can't be made, or the user wasn't asked about what they are now.
        """
        blocks = _blocks(arguments)
        present = await self._look(blocks, context.conversation)
        if present.reasons:
            self._asked.require(context, present)
        options = self._options(context.conversation, present.protected)
        applied = await self._applier.apply(blocks, options, context.call_id)
        told = bounded(edits_text(applied.outcomes), "make fewer edits at a time")
        text = await self._masker.masked(context.conversation, told)
        is_changed = bool(applied.modified)
        undo = f"\nundo_edit with edit_id {context.call_id} takes this back." if is_changed else ""
        is_error = not any(one.status in _APPLIED for one in applied.outcomes)
        return ToolResult(f"{text}{undo}", is_error=is_error)

    @property
    def _applier(self) -> Applier:
        if self._edits.applier is None:
            raise NotFound("Edits can't be made here.")
        return self._edits.applier

    async def _look(self, blocks: Sequence[EditBlock], conversation: Conversation) -> _Asked:
        options = self._options(conversation, {})
        outcomes = await self._applier.look(blocks, options)
        protected = {one.block.index: one.protected for one in outcomes if one.protected}
        reasons = [_REVIEW] if self._edits.settings().review else []
        reasons += [f"{shown_path(blocks[at].path)}: {why}." for at, why in protected.items()]
        for path in dict.fromkeys(block.path for block in blocks):
            try:
                checked, _ = await self._files.look(conversation, path)
            except NotFound:
                continue  # it is made
            if checked.reason:
                reasons.append(f"{shown_path(path)}: {checked.reason}")
        return _Asked(tuple(blocks), protected, tuple(dict.fromkeys(reasons)))

    def _options(self, conversation: Conversation, accepted: Mapping[int, str]) -> ApplyOptions:
        settings = self._edits.settings()
        return ApplyOptions(
            selection=None,
            max_file_bytes=settings.max_file_bytes,
            apply_shifted=settings.apply_shifted,
            accepted=accepted,
            open_notebooks=self._edits.open_in(conversation.conversation_key),
            views=conversation.notebook_views,
        )


class UndoEditTool(UnaskedTool):
    """Takes edits of this server back.

    Args:
        checkpoints: of the edits.
    """

    definition = ToolDefinition(
        "undo_edit",
        "Take back an edit of edit_files, to the exact bytes; the last one without edit_id. Files "
        "that were changed since are left alone.",
        parameters((), edit_id=TEXT),
        Right.EXECUTE,
    )

    def __init__(self, checkpoints: EditCheckpoints) -> None:
        self._checkpoints = checkpoints

    def title(self, arguments: Arguments) -> str:
        """Return the edit's id."""
        return one_line(text_in(arguments, "edit_id", "")) or "the last edit"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Restore the files; the result names them.

        Raises:
            AcError: there is no such edit, or the disk refuses.
        """
        del context
        restored = await self._checkpoints.undo(text_in(arguments, "edit_id", ""))
        lines = [f"Restored {counted(len(restored.restored), 'file')}."]
        lines += [f"- {shown_path(path)}" for path in restored.restored]
        lines += [f"- {shown_path(one.path)} is kept: {one.reason}" for one in restored.kept]
        text = bounded(wellformed("\n".join(lines)), "git status shows the rest")
        return ToolResult(text, is_error=not restored.restored)


def _blocks(arguments: Arguments) -> tuple[EditBlock, ...]:
    """Return the blocks of a call.

    Raises:
        InvalidParams: an edit has what its action doesn't take.
    """
    edits = cast("Sequence[Mapping[str, str]]", arguments.get("edits", ()))
    return tuple(_block(index, edit) for index, edit in enumerate(edits))


def _block(index: int, edit: Mapping[str, str]) -> EditBlock:
    kind = BlockKind(edit.get("action", "edit"))
    has = {name for name in ("old", "new", "new_path") if name in edit}
    needs = {"new_path"} if kind is BlockKind.RENAME else set[str]()
    takes = {"old", "new"} if kind is BlockKind.EDIT else needs
    if kind is BlockKind.EDIT and not has:
        raise InvalidParams(f"edits[{index}]: an edit needs new, and old where the file exists.")
    if needs - has or has - takes:
        words = ", ".join(sorted(takes)) or "nothing"
        raise InvalidParams(f"edits[{index}]: the action {kind} takes {words} besides path.")
    return EditBlock(
        index,
        kind,
        edit["path"],
        old=_lines(edit.get("old", "")),
        new=_lines(edit.get("new", "")),
        new_path=edit.get("new_path", ""),
    )


def _lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text without their ends; one end at the end of the text is none."""
    if not text:
        return ()
    lines = _LINE_END.split(text)
    return tuple(lines[:-1] if not lines[-1] else lines)


def _shown(block: EditBlock) -> str:
    """Return an edit as the user is asked about it: all that would change."""
    path = shown_path(block.path)
    match block.kind:
        case BlockKind.DELETE:
            return f"delete {path}"
        case BlockKind.RENAME:
            return f"rename {path} to {shown_path(block.new_path)}"
        case _:
            changes = [*(f"-{line}" for line in block.old), *(f"+{line}" for line in block.new)]
            return "\n".join([f"edit {path}", *changes])
