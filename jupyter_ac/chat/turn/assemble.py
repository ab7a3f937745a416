"""The stage that assembles a turn's prompt: system, log, updates, question, reminder.

A preview runs it as well, so that what is shown is what is sent.
"""

from collections.abc import Collection, Sequence
from typing import Final

from jupyter_ac.chat.last_request import last_request
from jupyter_ac.chat.prompt.blocks import Block, question_block, shown_path
from jupyter_ac.chat.prompt.changes import as_changes, news
from jupyter_ac.chat.prompt.context_fitting import make_fit
from jupyter_ac.chat.prompt.log import COPIES, Exchange, standing, without_maps
from jupyter_ac.chat.prompt.log_removals import Removal, evicted, shorten
from jupyter_ac.chat.prompt.log_window import Selected, choose_window
from jupyter_ac.chat.prompt.maps import map_updates
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.chat.prompt.truncation import cut_files
from jupyter_ac.chat.records import now_ms
from jupyter_ac.chat.review_context import SUMMARY
from jupyter_ac.chat.turn.own_edits import text_with_own_edits
from jupyter_ac.chat.turn.turn import Gathered, NextRequest, PromptRequest, TurnContext
from jupyter_ac.chat.turn.turn_price import expect, may_be_dear
from jupyter_ac.ids import RepoPath
from jupyter_ac.models.providers import reasoning_family

_NAMED: Final = 5
_REVIEWING: Final = (
    "A review of `{branch}` is open: edits aren't applied and commits are refused until it ends."
)


async def assemble(
    context: TurnContext, gathered: Gathered, following: NextRequest
) -> PromptRequest:
    """Put the prompt together and say what the user should know of it.

    Args:
        context: of the turn; gets the notices.
        gathered: what the prompt is made of.
        following: what is asked again, if anything is.
    """
    selected = Selected(
        [
            *(part.block for part in gathered.review.parts),
            *(file.block for file in gathered.reading.files),
            *(diff.block for diff in gathered.review.diffs),
            *gathered.pages,
        ],
        {problem.path for problem in gathered.reading.problems},
    )
    put_together = _whole if gathered.model.takes_whole_log else _part
    request = await put_together(context, gathered, following, selected)
    context.notices.extend(_review_notice(context, gathered, request))
    context.notices.extend(_secrets(gathered, following, request))
    if not following.blocks:
        context.notices.extend(await _price_warning(gathered, request.prompt))
    return request


async def _whole(
    context: TurnContext, gathered: Gathered, following: NextRequest, selected: Selected
) -> PromptRequest:
    """Send the whole log; what doesn't fit into the model is left out by `make_fit`'s rule."""
    log, scale = gathered.log, gathered.model.scale
    turn_ids = list(dict.fromkeys(entry.turn_id for entry in log.entries))

    async def draft(gone: Collection[RepoPath]) -> Prompt:
        kept = log.entries
        if gone:
            kept = shorten(kept, turn_ids, [Removal("trim", turn_ids[-1], paths=tuple(gone))])
        past = [*(entry.exchange for entry in kept), *following.answered]
        copies = standing(past)
        fresh = news(copies, selected.blocks, selected.unreadable)
        about_maps = map_updates(gathered.head, past, gathered.model.mode, gathered.maps)
        changes = await as_changes(fresh, copies, lambda path: text_with_own_edits(path, past))
        return _prompt(context, gathered, following, past, (*about_maps, *changes))

    paths = {block.path for block in selected.blocks if block.path is not None}
    worn: tuple[RepoPath, ...] = ()
    if log.entries and (log.is_cold or log.is_long):
        worn = await evicted(draft, paths, is_cold=log.is_cold)
    fitted = await make_fit(lambda gone: draft((*worn, *gone)), paths, gathered.input_limit, scale)
    trimmed = tuple(dict.fromkeys((*worn, *fitted.trimmed)))
    trim = None
    if trimmed and log.entries:
        trim = Removal("trim", turn_ids[-1], paths=trimmed, created_ms=now_ms())
    if fitted.trimmed:
        context.notices.append(f"Old copies are no longer sent: {_listed(fitted.trimmed)}.")
    if fitted.left_out:
        context.notices.append(f"Left out, no room in this model: {_listed(fitted.left_out)}.")
    return PromptRequest(fitted.prompt, fitted.left_out, trim)


async def _part(
    context: TurnContext, gathered: Gathered, following: NextRequest, selected: Selected
) -> PromptRequest:
    """Send what a small model has room for."""
    profile, scale = gathered.model.profile, gathered.model.scale
    exchanges = without_maps([*gathered.log.exchanges, *following.answered])
    window = await choose_window(exchanges, selected, profile, scale)
    cut = await cut_files(window.news, profile.file_tokens, scale)
    prompt = _prompt(context, gathered, following, window.past, cut.blocks, window.carried)
    if cut.shortened:
        context.notices.append(f"Cut for this small model: {_listed(cut.shortened)}.")
    if cut.left_out:
        names = _listed(cut.left_out)
        context.notices.append(f"Left out, no room in this small model: {names}.")
    return PromptRequest(prompt, cut.left_out)


def _prompt(
    context: TurnContext,
    gathered: Gathered,
    following: NextRequest,
    past: Sequence[Exchange],
    fresh: Sequence[Block],
    carried: tuple[Block, ...] = (),
) -> Prompt:
    asked = following.blocks or _asked(context, gathered, following)
    choice = gathered.model.choice
    ranked = () if following.blocks else gathered.maps.ranked
    return Prompt(
        head=gathered.head,
        past=tuple(past),
        ask=(*fresh, *ranked, *asked),
        carried=carried,
        reminder=gathered.model.profile.closing(),
        tools=gathered.tools,
        family=reasoning_family(choice.model) if choice is not None else "",
    )


def _asked(context: TurnContext, gathered: Gathered, following: NextRequest) -> tuple[Block, ...]:
    """Return the user's question, with what comes before it."""
    text = context.question.text
    items = [item.block() for item in gathered.items]
    if gathered.image_note is not None:
        items.append(gathered.image_note)
    question = [question_block(text, len(gathered.images))] if text else []
    return (*items, *following.opening, *question)


async def _price_warning(gathered: Gathered, prompt: Prompt) -> list[str]:
    limit_usd, model = gathered.settings.prompt.warn_usd, gathered.model
    if model.choice is None or not may_be_dear(prompt, model.info, limit_usd):
        return []
    last = last_request(gathered.log.session, model.profile, gathered.tools)
    expected = await expect(prompt, last, model.name, model.info, model.scale)
    warning = expected.warning(limit_usd)
    return [warning] if warning else []


def _review_notice(context: TurnContext, gathered: Gathered, request: PromptRequest) -> list[str]:
    """Say that a review is open: with its first question, and wherever no page shows it."""
    is_first = any(block.path == SUMMARY for block in request.sent)
    if not gathered.review.branch or not (is_first or context.conversation.conversation_key.aside):
        return []
    return [_REVIEWING.format(branch=shown_path(gathered.review.branch))]


def _secrets(gathered: Gathered, following: NextRequest, request: PromptRequest) -> list[str]:
    """Say which of the files that go out seem to hold secrets, and where some are masked."""
    sending = {block.path for block in request.sent if block.category in COPIES}
    items = gathered.items if not following.blocks else ()
    return [
        *(
            f"{shown_path(file.path)}: {warning}"
            for file in (*gathered.reading.files, *gathered.review.diffs)
            if file.path in sending
            for warning in file.warnings
        ),
        *(
            f"{shown_path(item.name)}: {_count(item.secrets)} masked before it is sent."
            for item in items
            if item.secrets
        ),
    ]


def _count(secrets: int) -> str:
    return "1 likely secret is" if secrets == 1 else f"{secrets} likely secrets are"


def _listed(paths: tuple[str, ...]) -> str:
    shown = ", ".join(shown_path(path) for path in paths[:_NAMED])
    return shown if len(paths) <= _NAMED else f"{shown} and {len(paths) - _NAMED} more"
