"""What a cell shows while an answer is written."""

import html.parser
from collections.abc import Iterator
from types import SimpleNamespace

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbconvert import HTMLExporter

from jupyter_ac.hosts.kernel import rendering
from jupyter_ac.hosts.kernel.rendering import (
    PANEL_MARK,
    PANEL_MIME,
    STATIC_PICTURE,
    CallLine,
    NotebookOutput,
    Picture,
    TerminalOutput,
    markdown,
    output_of,
)


class Publisher:
    """Notes what is displayed."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bool, dict[str, str]]] = []

    def publish(
        self,
        data: dict[str, str],
        transient: dict[str, str] | None = None,
        update: bool = False,
        **_rest: object,
    ) -> None:
        self.sent.append(((transient or {}).get("display_id", ""), update, data))


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> Iterator[Publisher]:
    publisher = Publisher()
    shell = InteractiveShell.instance()
    monkeypatch.setattr(shell, "display_pub", publisher)
    yield publisher
    InteractiveShell.clear_instance()


def test_one_output_is_replaced_as_the_answer_grows(
    published: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter([0.0, 0.05, 0.12, 0.3])
    monkeypatch.setattr(rendering, "time", SimpleNamespace(monotonic=lambda: next(now)))
    output = NotebookOutput()
    for text in ("a", "ab", "abc", "abc"):
        output.show(Picture(text))
    output.finish(Picture("abcd", notes=("Stopped.",)))
    assert [(update, data["text/plain"]) for _, update, data in published.sent] == [
        (False, "a"),
        (True, "abc"),
        (True, "abcd\n\nStopped."),
    ]
    assert len({display_id for display_id, _, _ in published.sent}) == 1
    assert all(set(data) == {"text/markdown", "text/plain"} for _, _, data in published.sent)


def test_long_answers_are_replaced_less_often(
    published: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter([0.0, 0.5, 2.1])
    monkeypatch.setattr(rendering, "time", SimpleNamespace(monotonic=lambda: next(now)))
    output = NotebookOutput()
    for more in ("", "b", "c"):
        output.show(Picture("a" * 1_000_000 + more))
    assert [data["text/plain"][-1] for _, _, data in published.sent] == ["a", "c"]


def test_what_was_shown_of_no_answer_goes_away(published: Publisher) -> None:
    output = NotebookOutput()
    output.clear()
    assert published.sent == []
    output.show(Picture("", "Starting …"))
    output.clear()
    assert [data["text/plain"] for _, _, data in published.sent] == ["Starting …", ""]


def test_the_end_is_shown_even_when_it_comes_at_once(published: Publisher) -> None:
    output = NotebookOutput()
    output.show(Picture("a"))
    output.finish(Picture("ab"))
    output.finish(Picture("ab"))
    assert [data["text/plain"] for _, _, data in published.sent] == ["a", "ab"]


def test_a_terminal_gets_what_is_new_without_its_commands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = TerminalOutput()
    for text in ("", "a", "a\x1b[2Jb", "a\x1b[2Jb"):
        output.show(Picture(text, "Starting …"))
    output.finish(Picture("a\x1b[2Jbc", notes=("Stopped.",)))
    assert capsys.readouterr().out == "a[2Jbc\nStopped.\n"


def test_a_terminal_gets_calls_behind_the_text_of_their_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output, calls = TerminalOutput(), (CallLine(3, "read a: done"), CallLine(5, "stop: done"))
    output.show(Picture("a🟩"))
    for text in ("a🟩", "a🟩b", "a🟩bc"):
        output.show(Picture(text, calls=calls))
    output.finish(Picture("a🟩bc\nend", calls=calls))
    assert capsys.readouterr().out == "a🟩\nread a: done\nbc\nstop: done\n\nend\n"


def test_a_call_is_a_line_between_two_steps_and_no_markdown_of_the_model_s() -> None:
    picture = Picture("a\n```\nb", calls=(CallLine(7, "run *x*: done"), CallLine(99, "later")))
    assert markdown(picture) == "a\n\n```\nb\n```\n\n\n*run \\*x\\*: done*"
    assert markdown(Picture("", calls=(CallLine(0, "x"),))) == "*x*"


def test_a_picture_without_text_says_what_happens() -> None:
    assert markdown(Picture("", "Reading *it* …")) == r"*Reading \*it\* …*"
    assert markdown(Picture("")) == "*Asking …*"


def test_notes_stand_behind_an_open_code_block_and_nothing_is_active() -> None:
    shown = markdown(Picture("```py\nx<y", notes=("Stopped <b>.",)))
    assert shown.endswith("```\n\n\n*Stopped \\<b\\>.*")
    assert markdown(Picture("<script>", notes=("<script>",))) == "&lt;script>\n\n*\\<script\\>*"


def test_a_kernel_gets_markdown_and_a_terminal_text() -> None:
    shell = InteractiveShell()
    assert isinstance(output_of(shell), TerminalOutput)
    vars(shell)["kernel"] = object()
    assert isinstance(output_of(shell), NotebookOutput)


class Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_it_is_plain_well_formed_html_without_script() -> None:
    tags = Tags()
    tags.feed(STATIC_PICTURE)
    assert tags.open == []
    assert tags.seen <= {"div", "span", "strong", "code"}


def test_it_says_how_to_get_the_panel_back() -> None:
    assert "%load_ext jupyter_ac" in STATIC_PICTURE
    assert "%ac" in STATIC_PICTURE


def test_an_exported_page_shows_it() -> None:
    data = {
        PANEL_MIME: PANEL_MARK,
        "application/vnd.jupyter.widget-view+json": {"version_major": 2, "model_id": "gone"},
        "text/html": STATIC_PICTURE,
        "text/plain": "<jupyter_ac.Panel>",
    }
    cell = nbformat.v4.new_code_cell("%ac", outputs=[nbformat.v4.new_output("display_data", data)])
    page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert "The panel is live only while its kernel runs." in page
    assert "widget-view" not in page
