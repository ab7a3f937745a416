from typing import cast

import pytest

from jupyter_ac.browser import page_dialog
from jupyter_ac.browser.cdp import CdpConnection, CdpSession, Json
from jupyter_ac.browser.page_dialog import PageDialog
from jupyter_ac.errors import Busy, NotFound
from tests.browser.fake_cdp import FakeBrowser, over_pipes
from tests.browser.recorded_events import refused


async def answered(kind: str, *, dismiss: bool) -> tuple[PageDialog, list[Json]]:
    """Open a dialog and have it answered; give it and the answers that the browser got."""
    browser, dialog = FakeBrowser(), PageDialog()
    answers: list[Json] = []

    def take(params: Json) -> object:
        answers.append(params)
        return {}

    browser.answers["s:Page.handleJavaScriptDialog"] = take
    async with over_pipes(browser) as transport:
        connection = CdpConnection(transport)
        connection.start()
        error = dialog.opened(CdpSession(connection, "s"), {"type": kind, "message": "m" * 5000})
        assert error.details["dialog"] is dialog.row
        with pytest.raises(Busy, match=kind):
            dialog.check()
        if dismiss:
            await dialog.dismiss_unseen()
        else:
            await dialog.answer(accept=True, text="x")
        await connection.aclose()
    return dialog, answers


async def test_an_answer_goes_to_the_session_of_the_dialog() -> None:
    dialog, answers = await answered("prompt", dismiss=False)
    assert answers == [{"accept": True, "promptText": "x"}]
    dialog.closed()
    dialog.check()
    with pytest.raises(NotFound):
        await dialog.answer(accept=True)


@pytest.mark.parametrize(("kind", "accept"), [("alert", False), ("beforeunload", True)])
async def test_a_dialog_that_nobody_sees(
    monkeypatch: pytest.MonkeyPatch, kind: str, *, accept: bool
) -> None:
    monkeypatch.setattr(page_dialog, "UNSEEN_S", 0.01)
    _, answers = await answered(kind, dismiss=True)
    assert answers == [{"accept": accept}]


async def test_a_dialog_that_the_browser_has_closed() -> None:
    browser, dialog = FakeBrowser(), PageDialog()
    browser.answers["Page.handleJavaScriptDialog"] = refused
    async with over_pipes(browser) as transport:
        connection = CdpConnection(transport)
        connection.start()
        dialog.opened(CdpSession(connection, "s"), {})
        with pytest.raises(NotFound, match="any more"):
            await dialog.answer(accept=False)
        await connection.aclose()


def test_secrets_and_halves_of_pairs_of_a_dialog_are_not_shown() -> None:
    dialog = PageDialog()
    session = CdpSession(cast("CdpConnection", None), "s")
    params: Json = {"message": "token=hunter2hunter2 \ud800", "url": "http://a/?sid=hunter2hunter2"}
    error = dialog.opened(session, params)
    assert "hunter2" not in str(error.details)
    assert "\ud800" not in str(dialog.row)
