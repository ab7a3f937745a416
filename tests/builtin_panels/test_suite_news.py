import asyncio

from jupyter_ac.builtin_panels.suite_news import NEWS, WAIT_MS, use_suite
from jupyter_ac.builtin_panels.suite_tree import TreeView
from jupyter_ac.errors import Busy
from jupyter_ac.panels import Plugin, component, html
from jupyter_ac.suite_rows import OutcomeRow
from tests.builtin_panels.served_panels import MadeUpServices, shown_panel
from tests.builtin_panels.test_suite_tree import row


@component
def app() -> object:
    suite = use_suite()
    ids = [each.node.id for each in suite.tree.rows(TreeView())]
    state = suite.run["state"] if suite.run else "none"
    return html.div(
        f"{ids} {state} {suite.left_out} {suite.problem}",
        html.button({"onClick": suite.retry}, "retry"),
    )


FOLLOW = Plugin(app, name="follow")


def news(
    generation: str, version: int, *rows: OutcomeRow, is_more: bool = False
) -> dict[str, object]:
    return {
        "generation": generation,
        "version": version,
        "run": {
            "run_id": "r",
            "kind": "run",
            "state": "running",
            "message": "",
            "command": "",
            "selected": 0,
            "duration_ms": None,
        },
        "tests": list(rows),
        "is_more": is_more,
        "left_out": 2,
    }


async def test_news_is_followed_and_another_generation_begins_anew() -> None:
    answers: asyncio.Queue[object] = asyncio.Queue()
    services = MadeUpServices({NEWS: lambda *_: answers.get()})
    async with shown_panel(FOLLOW, services) as panel:
        assert "[] none 0" in panel.host.text()
        answers.put_nowait(news("g", 3, row("a"), is_more=True))
        await panel.until_text("['a'] running 2")
        answers.put_nowait(news("g", 5, row("b", at=1)))
        await panel.until_text("['a', 'b']")
        answers.put_nowait(news("h", 9, row("c")))
        await panel.until_text("['c']")
        await panel.until(lambda: len(services.called(NEWS)) == 4)
        assert services.called(NEWS) == [
            ("", 0, 0),
            ("g", 3, 0),
            ("g", 5, WAIT_MS),
            ("h", 9, WAIT_MS),
        ]


async def test_after_an_error_it_follows_again_when_asked_to() -> None:
    answers: asyncio.Queue[object] = asyncio.Queue()
    services = MadeUpServices({NEWS: lambda *_: answers.get()})
    async with shown_panel(FOLLOW, services) as panel:
        answers.put_nowait(news("g", 3, row("a")))
        answers.put_nowait(Busy("The server is busy."))
        await panel.until_text("['a'] running 2 The server is busy.")
        await panel.press("retry")
        answers.put_nowait(news("g", 4, row("a")))
        await panel.until(lambda: "busy" not in panel.host.text())
        assert services.called(NEWS)[2] == ("", 0, 0)
