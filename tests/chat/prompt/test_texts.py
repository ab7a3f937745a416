import asyncio

import pytest

from jupyter_ac.chat.edit_blocks.blocks import BlockKind
from jupyter_ac.chat.edit_blocks.reading.parser import parse
from jupyter_ac.chat.prompt.texts import template
from jupyter_ac.models.tokens import TokenCounter
from jupyter_ac.settings.files import FILES, SYSTEM_EXTRA
from jupyter_ac.workers.process import Worker

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
