"""The stage that gathers the parts of a prompt: the model, the log, the files, maps and images.

Only maps that may be sent are requested: the head's map while there is no head yet or the head has
no map, the other kind's if the user wants it, and the ranked part for the question. A model with
little room gets none, nor does one whose room the map would fill by more than a quarter.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from jupyter_ac.chat.compaction.withholding import due_removal, is_due
from jupyter_ac.chat.context_items import ContextItem, sendable_items
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.files import FileText, Reading
from jupyter_ac.chat.images import MAX_IMAGES
from jupyter_ac.chat.last_request import has_expired
from jupyter_ac.chat.model_gateway import AnswerSource
from jupyter_ac.chat.open_notebooks import NONE_OPEN
from jupyter_ac.chat.ports import MapAsk, TurnPorts
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.context_fitting import input_limit
from jupyter_ac.chat.prompt.counts import scale_for
from jupyter_ac.chat.prompt.log import standing, talk
from jupyter_ac.chat.prompt.maps import (
    KnownMaps,
    map_blocks,
    mode_of,
    other_than,
    ranked_blocks,
    shown_modes,
    structure_shown,
)
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.review_context import ReviewReading
from jupyter_ac.chat.turn.output_images import output_images
from jupyter_ac.chat.turn.turn import AnsweringModel, Findings, Gathered, LogState, TurnContext
from jupyter_ac.errors import Unsupported
from jupyter_ac.events import Mode
from jupyter_ac.git.excluded_paths import REASON, ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.notebook.cell_selection import WHOLE
from jupyter_ac.notebook.editing import is_notebook

FIRST_WAIT_S: Final = 2.0
"""For an index at the first question; what comes later is appended, at the same price."""

PREVIEW_WAIT_S: Final = 0.5
"""For a map that only has to be drawn, so that what is shown is what will be sent."""

PATIENCE_S: Final = 0.2
"""A longer wait is reported."""

TALK_BLOCKS: Final = 6
"""Of the talk, the newest, that say what a question is about."""

_NO_MAP_BEFORE: Final = (
    "The map of the code before the branch is still being made; it goes out with a later question."
)

_NOT_YET: Final = (
    "The map of the repository is still being made; it goes out with the first question if it is "
    "ready by then, else with a later one."
)

_NOT_RANKED_YET: Final = (
    "What else of the repository this question may need isn't known yet; it goes out with the "
    "question if it is known in time."
)

_MAP_SHARE: Final = 4
_RANKED_SHARE: Final = 16


async def gather(context: TurnContext, ports: TurnPorts, images: int | None = None) -> Gathered:
    """Find out which model answers, read the log and the selected files, and ask for maps.

    Args:
        context: of the turn, or of a preview.
        ports: what the stages work with.
        images: how many come with a question that is only previewed, beside those of its items;
            None for a question that is asked.

    Raises:
        Unsupported: the model takes no images.
        AcError: which files are excluded can't be known.
    """
    model = await find_model(
        context.conversation, context.findings, ports, context.source(ports.models)
    )
    reading = await _read_files(context, ports)
    log = await _log_state(context, model, ports, reading.excluded)
    items, notices = sendable_items(context.question.items, reading.excluded)
    context.notices.extend(notices)
    shown = 0
    if images is not None:
        shown = min(images + sum(len(item.images) for item in items), MAX_IMAGES)
    mapping = _MapSearch(context, ports, model, log, shown)
    maps, review = await asyncio.gather(mapping.find(), _read_review(context, model, log, ports))
    found = await _find_images(context, items, model, ports) or (Path(),) * shown
    outputs = await output_images(context, model, log.exchanges, reading, ports, len(found))
    if context.question.effort and model.info is not None and not model.info.takes_effort:
        context.notices.append(f"The model {model.name} can't be told how much to reason.")
    return Gathered(
        model=model,
        settings=ports.log.settings(),
        log=log,
        head=log.head or (*model.profile.head(), *maps.own),
        reading=reading,
        pages=tuple(page.block() for page in context.conversation.pages if page.is_sent),
        maps=maps,
        input_limit=_limit(model, len(found) + len(outputs.files)),
        images=(*found, *outputs.files),
        review=review,
        image_note=outputs.note,
        tools=ports.agent.tools(context.session, context.question.agent, model.info),
        items=items,
    )


def _not_sent(names: Sequence[str], excluded: ExcludedPaths) -> list[str]:
    """Say of files that were named with a question why they don't go out."""
    return [
        f"Not sent: {name[:200]!r}: {REASON}."
        if excluded.covers(name)
        else f"Not sent: there is no file {name[:200]!r}."
        for name in names
    ]


async def gather_again(context: TurnContext, known: Gathered, ports: TurnPorts) -> Gathered:
    """Read what may have changed since the turn's first request: the log and the files."""
    reading = await _read_files(context, ports)
    log = await _log_state(context, known.model, ports)
    return replace(known, reading=reading, log=log, head=log.head or known.head)


async def find_model(
    conversation: Conversation, findings: Findings, ports: TurnPorts, source: AnswerSource
) -> AnsweringModel:
    """Find out which model answers and how its prompts are made; `findings` get it as well."""
    await ports.models.renew()
    choice, info, made = source.choice(), None, profile("standard")
    findings.choice = choice
    if choice is not None:
        findings.info = info = await source.info(choice)
        made = ports.profile_for(choice, conversation.focus.mode)
    return AnsweringModel(
        choice, info, made, made.is_full, mode_of(made), scale_for(ports.counts, choice)
    )


def _limit(model: AnsweringModel, images: int) -> int:
    return input_limit(model.info, images) if model.info is not None else 0


async def _log_state(
    context: TurnContext,
    model: AnsweringModel,
    ports: TurnPorts,
    excluded: ExcludedPaths | None = None,
) -> LogState:
    """Read the log.

    Args:
        context: of the turn.
        model: that answers.
        ports: what the stages work with.
        excluded: what goes out of it; None in the middle of a turn.
    """
    session = context.session
    withheld = None
    if excluded is not None and is_due(session, excluded):
        withheld = await due_removal(session, excluded, ports.files)
    removals = (*session.log.removals, *([withheld] if withheld is not None else []))
    entries = session.log.entries(removals)
    exchanges = [entry.exchange for entry in entries]
    is_cold = has_expired(session, model.info, ports.clock())
    most, is_long = ports.log.settings().history_compaction.log_trigger_tokens, False
    if most > 0 and model.takes_whole_log and not is_cold:
        blocks = [block for one in exchanges for block in (*one.sent, *one.reply)]
        is_long = not await model.scale.fit(blocks, most)
    head = session.log.frozen_head(model.profile, removals)
    return LogState(session, head, entries, exchanges, is_cold, is_long, withheld)


async def _read_files(context: TurnContext, ports: TurnPorts) -> Reading:
    """Read the selected files as they are at this moment."""
    conversation = context.conversation
    notebooks = list(filter(is_notebook, conversation.selection))
    key = conversation.conversation_key
    views, found = conversation.notebook_views, NONE_OPEN
    if notebooks:
        outputs = {name for path in notebooks for name in views.get(path, WHOLE).outputs}
        opened = await ports.edits.open_notebooks(key, notebooks, outputs)
        found = {path: one for path, one in opened.items() if not one.is_silent}
    reading = await ports.files.read(conversation.selection, found, views)
    context.findings.problems = reading.problems
    said = set(context.notices)
    messages = _not_sent(context.question.unknown, reading.excluded)
    messages += [problem.message for problem in reading.problems]
    context.notices.extend(message for message in messages if message not in said)
    return reading


async def _read_review(
    context: TurnContext, model: AnsweringModel, log: LogState, ports: TurnPorts
) -> ReviewReading:
    """Read what is sent about the branch under review; a small model gets the diffs only."""
    selection, wait_s = context.conversation.selection, context.question.index_wait_s
    reading = await ports.review.read(selection, wait_s)
    context.notices.extend(reading.notices)
    if not model.takes_whole_log:
        return replace(reading, parts=())
    if not reading.pending:
        return reading
    # After a restart of the host the log may have the map that is being made again.
    sent = standing(log.exchanges).get(RepoPath(reading.pending))
    if sent is None or sent.whole is None:
        context.notices.append(_NO_MAP_BEFORE)
        return reading
    known = FileText(RepoPath(reading.pending), sent.whole)
    return replace(reading, parts=(*reading.parts, known))


async def _find_images(
    context: TurnContext, items: Sequence[ContextItem], model: AnsweringModel, ports: TurnPorts
) -> tuple[Path, ...]:
    """Find the images that come with the question; a missing one becomes a notice.

    So does the picture of a page's element, if the model takes none: its text says what it is.

    Raises:
        Unsupported: the model takes no images.
    """
    kept = {name for item in items for name in item.images}
    hidden = {name for item in context.question.items for name in item.images} - kept
    names = [name for name in context.question.images if name not in hidden]
    if not names:
        return ()
    if model.info is not None and not model.info.takes_images and model.choice is not None:
        of_elements = {name for item in items if item.kind == "element" for name in item.images}
        if of_elements.issuperset(names):
            context.notices.append(f"The model {model.name} takes no images; elements go as text.")
            return ()
        raise Unsupported(
            f"The model {model.name} takes no images; ask without them, or choose a model "
            "that does."
        )
    found = await ports.images.find(names)
    gone = found.count(None)
    if gone:
        many = "An image is" if gone == 1 else f"{gone} images are"
        context.notices.append(f"{many} no longer kept and could not be sent.")
    return tuple(path for path in found if path is not None)


@dataclass(frozen=True, slots=True)
class _MapSearch:
    """Asks for the maps of one request.

    Attributes:
        context: of the turn.
        ports: the maps among them.
        model: that answers.
        log: of the session.
        images: how many come with a preview.
    """

    context: TurnContext
    ports: TurnPorts
    model: AnsweringModel
    log: LogState
    images: int

    async def find(self) -> KnownMaps:
        """Give what is known of the repository's structure, as far as it may be sent."""
        settings = self.ports.log.settings().prompt
        if not self.model.takes_whole_log:
            return KnownMaps()
        mode, other = self.model.mode, other_than(self.model.mode)
        with_other = self.context.conversation.focus.cross_ref
        began = asyncio.get_running_loop().time()
        known = shown_modes(self.log.head, self.log.exchanges)
        shown = known if settings.map_tokens else {mode}
        wants_other = with_other and other not in shown and settings.map_tokens > 0
        wait_s = 0.0 if self.log.head else self._wait_s(mode)
        own, others = await asyncio.gather(
            self._map(mode, wait_s, is_wanted=mode not in shown),
            self._map(other, 0.0, is_wanted=wants_other),
        )
        has_map = bool(own) or mode in known
        waited = asyncio.get_running_loop().time() - began
        ranked = await self._ranked((*own, *others), waited)
        is_preview = not self.context.question.index_wait_s
        if is_preview and not has_map and self.ports.maps.state().code_building:
            self.context.notices.append(_NOT_YET)
        return KnownMaps(own, others, with_other, ranked)

    def _wait_s(self, mode: Mode) -> float:
        """Say how long the head's map is waited for; a preview waits for no index."""
        state = self.ports.maps.state()
        is_ready = state.doc_ready if mode == "doc" else state.code_ready
        return self.context.question.index_wait_s or (PREVIEW_WAIT_S if is_ready else 0.0)

    async def _map(self, mode: Mode, wait_s: float, *, is_wanted: bool) -> tuple[Block, ...]:
        if not is_wanted:
            return ()
        saying = asyncio.get_running_loop().call_later(
            PATIENCE_S,
            self.context.stream.progress,
            "waiting",
            "Reading the repository's structure …",
        )
        try:
            found = await self.ports.maps.head(mode, wait_s)
        finally:
            saying.cancel()
        if found is None:
            return ()
        blocks = map_blocks(mode, found.legend, found.text, found.files)
        limit = _limit(self.model, self.images)
        if blocks and limit and not await self.model.scale.fit(blocks, limit // _MAP_SHARE):
            return ()
        return blocks

    async def _ranked(self, coming: Sequence[Block], waited_s: float) -> tuple[Block, ...]:
        """Return what the question is likely to need, as far as no map shows it.

        Args:
            coming: maps that go out for the first time.
            waited_s: for them.
        """
        question, limit = self.context.question, _limit(self.model, self.images)
        budget = self.ports.log.settings().prompt.ranked_tokens
        if limit:
            budget = min(budget, limit // _RANKED_SHARE)
        if not question.text or budget <= 0:
            return ()
        past = self.log.exchanges
        shown = structure_shown((*self.log.head, *coming), past)
        said = talk(past)[-TALK_BLOCKS:]
        # The first question here may come while the index of the last time is still being read.
        is_first = not self.log.session.log.sent_ms
        found = await self.ports.maps.ranked(
            MapAsk(
                selected=self.context.conversation.selection,
                question=question.text,
                talk=tuple(block.text for block in said),
                budget_tokens=budget,
                shown=shown,
                wait_s=max(0.0, question.index_wait_s - waited_s) if is_first else 0.0,
            )
        )
        if found is None and not question.index_wait_s and self.ports.maps.state().code_ready:
            self.context.notices.append(_NOT_RANKED_YET)
        return ranked_blocks(found or "")
