"""`%ac browser`, with a host that is made up, and in a real kernel with a real Chromium."""

import base64
import struct

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.browser_commands import BrowserCommands
from tests.browser.running_browser import pages
from tests.hosts.kernel.environment import kernel_with
from tests.support.kernels import printed, shown
from tests.support.model_process import RunningModelServer
from tests.support.repositories import RepositoryFolder

PAGES = {
    "pages": [
        {"id": "T1", "url": "http://a/", "title": "A\x1b[31m\n", "watched": True},
        {"id": "T2", "url": "http://b/", "title": "", "watched": False},
    ]
}


class Host:
    """Answers as it is told, and notes the calls."""

    def __init__(self, **answers: object) -> None:
        self.answers = {"pages": PAGES, **answers}
        self.calls: list[tuple[object, ...]] = []

    def __call__(self, method: str, /, *arguments: object) -> object:
        self.calls.append((method, *arguments))
        return self.answers.get(method.removeprefix("Browser."), {})


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("attach 9222", ("Browser.targets", "9222")),
        ("launch http://x/", ("Browser.launch", "http://x/")),
        ("launch", ("Browser.launch", "about:blank")),
        ("connect 1", ("Browser.connect", None, 1)),
        ("disconnect", ("Browser.disconnect",)),
        ("console 5", ("Browser.console", 5)),
        ("network", ("Browser.network", 20)),
        ("navigate 'http://x/a b'", ("Browser.navigate", "http://x/a b")),
        ("reload", ("Browser.reload",)),
        ("js  'a' + \"b\"", ("Browser.js", "'a' + \"b\"", None, True, True)),
        ("click 'a > b'", ("Browser.click", "a > b")),
        ("type input 'some text'", ("Browser.type_text", "some text", "input")),
    ],
)
def test_a_command_is_a_method(line: str, call: tuple[object, ...]) -> None:
    host = Host()
    BrowserCommands(host).run(line)
    assert host.calls[0] == call


def test_pages_have_the_numbers_that_are_connected(capsys: pytest.CaptureFixture[str]) -> None:
    BrowserCommands(Host()).run("")
    assert capsys.readouterr().out == "0 * http://a/  A[31m\n1   http://b/\n"
    BrowserCommands(Host(pages={"pages": []})).run("pages")
    assert "%ac browser launch" in capsys.readouterr().out


def test_what_is_allowed_is_allowed_in_the_page_of_that_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    host = Host(grant={"granted": ["input", "js"]})
    BrowserCommands(host).run("allow 1 js input")
    assert host.calls[1:] == [("Browser.grant", "T2", ["js", "input"])]
    assert "page 1 until it goes: input, js" in capsys.readouterr().out
    with pytest.raises(UsageError, match="there is no page 2; there are 2 pages"):
        BrowserCommands(host).run("allow 2 js")


@pytest.mark.parametrize(
    "line",
    ["close", "connect", "connect x", "connect 1 2", "connect -1", "connect 9999999", "js",
     "type a", "navigate", "navigate 'x", "screenshot all", "reload now", "console x"],
)  # fmt: skip
def test_what_is_no_command_calls_nothing(line: str) -> None:
    host = Host()
    with pytest.raises(UsageError, match=r"^%ac browser: [^\n]+$"):
        BrowserCommands(host).run(line)
    assert host.calls == []


def test_what_was_not_loaded_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    BrowserCommands(Host(navigate={"error": "net::ERR_X\x1b"})).run("navigate http://x/")
    assert capsys.readouterr().out == "Nothing was loaded: net::ERR_X\n"


def test_what_a_page_gives_fills_no_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    BrowserCommands(Host(js={"value": "x" * 1_000_000})).run("js it")
    printed = capsys.readouterr().out
    assert printed == "x" * 50_000 + "\n… 950,000 more characters\n"


def test_a_picture_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    displayed: list[object] = []
    monkeypatch.setattr("jupyter_ac.hosts.kernel.browser_commands.display", displayed.append)
    data = base64.b64encode(b"\xff\xd8\xff").decode()
    host = Host(screenshot={"data": data, "mime_type": "image/jpeg", "is_cut": True})
    BrowserCommands(host).run("screenshot full")
    assert host.calls == [("Browser.screenshot", True)]
    (picture,) = displayed
    assert getattr(picture, "data", b"") == b"\xff\xd8\xff"


@pytest.mark.programs
async def test_a_page_is_watched_from_cells(
    garden: RepositoryFolder, model_server: RunningModelServer
) -> None:
    html = "<title>Mine</title><body onload=\"console.error('broken ' + 6*7)\">Hi"
    ready = "new Promise(done => document.readyState == 'complete' ? done() : onload = done)"
    with pages({"/": html}) as address:
        async with kernel_with(garden, model_server) as kernel:
            await kernel.run("%cd -q .")
            none = printed(await kernel.run("%ac browser"))
            opened = printed(await kernel.run(f"%ac browser launch {address}/"))
            status = f"let status = await {ready}.then(() => fetch('/gone')).then(it => it.status)"
            await kernel.run(f"%ac browser js {status}")
            kept = printed(await kernel.run("%ac browser js await Promise.resolve(status)"))
            listed = printed(await kernel.run("%ac browser pages"))
            text = printed(await kernel.run("%ac browser js document.body.innerText"))
            console = printed(await kernel.run("%ac browser console"))
            network = printed(await kernel.run("%ac browser network"))
            (picture,) = shown(await kernel.run("%ac browser screenshot"))
            wrong = printed(await kernel.run("%ac browser close"))
    assert "No browser is known" in none
    assert f"0 * {address}/" in opened
    assert f"0 * {address}/  Mine" in listed
    assert (kept.strip(), text.strip()) == ("404", "Hi")
    assert "error: broken 42" in console
    assert f"GET 404 {address}/gone Fetch" in network
    png = base64.b64decode(picture["image/png"])
    width, height = struct.unpack(">II", png[16:24])
    assert min(width, height) > 100
    assert "%ac browser: the commands are" in wrong


def test_the_magic_leaves_other_folders_alone() -> None:
    shell = InteractiveShell.instance()
    try:
        shell.run_line_magic("load_ext", "jupyter_ac")
        for line in ("./browser", "browsers"):
            with pytest.raises(UsageError, match="start JupyterLab"):
                shell.run_line_magic("ac", line)
    finally:
        shell.run_line_magic("unload_ext", "jupyter_ac")
        InteractiveShell.clear_instance()
