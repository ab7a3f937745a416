import asyncio

import pytest

from jupyter_ac.chat.edit_blocks.blocks import BlockKind
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from jupyter_ac.chat.prompt.blocks import Category
from jupyter_ac.chat.prompt.profiles import UNLIMITED, profile, profile_of, template
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.tokens import TokenCounter
from jupyter_ac.settings.files import FILES, SYSTEM_EXTRA
from jupyter_ac.settings.snippets import MODES
from jupyter_ac.workers.process import Worker

FULL = ModelChoice("openai/x", "flag")
SMALL = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")


def test_the_embedded_profile_has_the_limits_that_its_model_needs() -> None:
    embedded = profile("embedded")
    assert (embedded.file_tokens, embedded.talk_tokens) == (600, 400)
    (system,) = embedded.head()
    assert system.category is Category.SYSTEM
    assert len(system.text.split()) < 100


def test_the_standard_profile_has_none_and_is_the_default() -> None:
    standard = profile("standard")
    assert (standard.file_tokens, standard.talk_tokens) == (UNLIMITED, UNLIMITED)
    assert standard.answer_tokens is None
    assert profile("unheard-of") is standard


def test_a_head_is_the_same_every_time() -> None:
    assert profile("standard").head() == profile("standard").head()


def test_a_profile_is_the_models_own_unless_another_is_wanted() -> None:
    assert profile_of(FULL) == profile("standard")
    assert profile_of(SMALL) == profile("embedded")
    assert profile_of(FULL, "embedded") == profile("embedded")
    assert profile_of(SMALL, "standard") == profile("standard")


def test_the_users_prompt_replaces_ours_and_what_is_added_stands_behind() -> None:
    (ours,) = profile("standard").head()
    heads = [
        profile_of(FULL, "auto", own, extra).head()[0].text
        for own, extra in (("Own.", ""), ("", "Extra."), ("Own.", "Extra."), ("a\ud800", ""))
    ]
    assert heads == ["Own.", f"{ours.text}\n\nExtra.", "Own.\n\nExtra.", "a\ufffd"]


def test_a_small_model_has_no_room_for_the_users_prompt() -> None:
    assert profile_of(SMALL, "auto", "Own.", "Extra.") == profile("embedded")


def test_a_review_and_documents_have_prompts_of_their_own() -> None:
    heads = [profile_of(FULL, mode=mode).head()[0].text for mode in MODES]
    assert len(set(heads)) == len(MODES)
    review = profile_of(FULL, "auto", "Own.", "Extra.", "review")
    assert (review.name, review.head()[0].text) == ("review", "Own.\n\nExtra.")
    assert review.closing() == ()
    assert profile_of(SMALL, mode="review") == profile("embedded")


PROMPTS = [name for name, file in FILES.items() if file.endswith(".md") and name != SYSTEM_EXTRA]
MOST = {"system": 700, "system_doc": 500, "review": 400, "commit": 300, "embedded": 150}


@pytest.mark.parametrize("name", PROMPTS)
def test_every_prompt_that_a_user_may_replace_is_there(name: str) -> None:
    text = template(f"{name}.md")
    assert text == text.strip() != ""


async def test_the_prompts_are_short() -> None:
    worker = Worker("tokens")
    try:
        async with asyncio.timeout(30):
            texts = [template(f"{name}.md") for name in MOST]
            counts = await TokenCounter(worker).count("o200k_base", texts)
    finally:
        await worker.aclose()
    assert [count for count, most in zip(counts, MOST.values(), strict=True) if count > most] == []


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("system.md", [BlockKind.EDIT, BlockKind.DELETE, BlockKind.RENAME]),
        ("system_doc.md", [BlockKind.EDIT]),
    ],
)
def test_the_edit_blocks_that_are_taught_are_those_that_are_parsed(
    name: str, kinds: list[BlockKind]
) -> None:
    text = template(name)
    blocks = parse(text, lambda _path: False)
    assert [block.kind for block in blocks] == kinds
    assert all(block.is_complete and block.path for block in blocks)
    assert all(f" {word}" in text for word in ("EDIT", "REPL", "END", "DELETE", "RENAME"))


@pytest.mark.parametrize("name", ["review.md", "commit.md", "embedded.md", "compaction.md"])
def test_no_edits_are_taught_where_none_are_taken(name: str) -> None:
    assert "🟧" not in template(name)
