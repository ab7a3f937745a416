"""A host that dies in the middle: every call ends, and what was acknowledged stays."""

import asyncio

from jupyter_ac.errors import ConnectionClosed
from tests.contract.contract import contract
from tests.contract.doors import Door
from tests.services.llm.pages import objects

FILES = 60


@contract
async def test_a_host_that_dies_ends_every_call_and_loses_nothing_acknowledged(door: Door) -> None:
    contents = {f"dying/{number}.txt": f"{number} " * 3000 for number in range(FILES)}
    async with door.open("dying") as page:
        await page.ready()
        session_id = (await page.ask("new_session"))["session_id"]
        await page.call("chat_streaming", "dying-1", "Will you finish?")
        await page.until(lambda page: bool(page.named("streamDelta")))
        calls = [
            asyncio.create_task(page.repo("create_file", name, text))
            for name, text in contents.items()
        ]
        await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        await door.kill()
        outcomes = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 30)
        await page.ended()
        said = page.streamed()
    kept = [name for name, done in zip(contents, outcomes, strict=True) if isinstance(done, dict)]
    lost = [done for done in outcomes if not isinstance(done, dict)]
    assert kept
    assert {type(error) for error in lost} <= {ConnectionClosed}
    for name, text in contents.items():
        path = door.folder.root / name
        assert path.read_text() == text if path.exists() else name not in kept
    async with door.open("dying") as page:
        loaded = await page.ask("load_session_into_context", session_id)
        question, answer = objects(loaded["messages"])
        assert question["content"] == "Will you finish?"
        # On a busy machine the answer may be complete before the files begin to be written.
        assert answer["state"] in {"error", "done"}
        assert answer["state"] == "done" or "interrupted" in str(answer["error"])
        assert said.startswith(str(answer["content"])) or str(answer["content"]).startswith(said)
        for name, text in contents.items():
            if name not in kept:
                await page.repo("write_file", name, text)
        listed = await page.repo("get_flat_file_list")
        assert str(listed).count("dying/") == FILES
        assert ".tmp" not in str(listed)
    assert not list((door.folder.root / "dying").glob(".*"))
